export const DOCS_CSS = `
:root { color-scheme: light dark; --ink: #15242b; --ink-2: #566870; --sheet: #f7f8f8; --card: #fff; --line: #e7ebec; --brand: #0b6477; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edef; --ink-2: #93a4ab; --sheet: #10171b; --card: #161f24; --line: #243138; --brand: #6cc6d5; }
}
* { box-sizing: border-box; }
body { margin: 0; display: flex; font: 14px/1.57 Inter, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; color: var(--ink); background: var(--sheet); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; width: 240px; flex: none; padding: 16px; background: #0d1b21; color: #b9c7cc; }
nav h2 { font-size: 12px; font-weight: 500; color: #8fa2aa; margin: 16px 0 4px; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { color: inherit; display: block; padding: 2px 0; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover, nav a:focus-visible { color: #fff; text-decoration: underline; }
main { padding: 24px; min-width: 0; max-width: 960px; flex: 1; }
h1 { font-size: 20px; } h3 { font-size: 16px; margin: 0 0 4px; } h4 { font-size: 13px; color: var(--ink-2); margin: 12px 0 4px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 0 0 12px; }
code, pre { font: 12px/1.5 "JetBrains Mono", ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow: auto; } .path { margin: 0; } .access { color: var(--ink-2); }
a { color: var(--brand); } nav a { color: #b9c7cc; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 4px 8px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; font-size: 13px; overflow-wrap: anywhere; }
th, td:first-child, td:nth-child(2) { white-space: nowrap; overflow-wrap: normal; padding-right: 16px; }
@media (max-width: 800px) { body { display: block; } nav { position: static; width: auto; height: auto; max-height: 40vh; } main { padding: 16px; } }
`;
