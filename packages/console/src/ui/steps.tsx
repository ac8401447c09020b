/** The steps of a short procedure, with the current one marked. */
export const Steps = ({ names, current }: { names: readonly string[]; current: number }) => (
  <ol className="dc-steps">
    {names.map((name, index) => (
      <li
        key={name}
        aria-current={index === current ? 'step' : undefined}
        data-state={index < current ? 'past' : 'ahead'}
      >
        {name}
      </li>
    ))}
  </ol>
);
