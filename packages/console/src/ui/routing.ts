import * as router from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { z } from 'zod';

// The routes are created from the page entries at run time, so the router knows none of their types. Here the path of a
// page carries the type of its search parameters instead. The functions are those of the router, with other types.

declare const accepts: unique symbol;

/** The path of a page that reads these search parameters, by default none; see paths.ts. */
export type Path<Search = NoSearch> = string & { readonly [accepts]: (search: Search) => void };

/** Every page opens without search parameters, so `Path` without an argument is the path of any page. */
export type NoSearch = Record<string, never>;

/** The search parameters of links to a page with this schema. All are optional. */
export type SearchOf<Schema extends z.ZodType> = {
  [Name in keyof z.output<Schema>]?: z.output<Schema>[Name] | undefined;
};
export type PathOf<Schema extends z.ZodType> = Path<SearchOf<Schema>>;

type Target<Search> = { to: Path<Search>; search?: NoInfer<Search> | undefined };

declare const checked: unique symbol;
type CheckedSearch = { readonly [checked]: true };

/** A path with search parameters that were checked against it. */
export type PageTarget = Required<Target<CheckedSearch>>;
export const pageTarget = <Search>(to: Path<Search>, search: NoInfer<Search>): PageTarget =>
  ({ to, search }) as unknown as PageTarget;

/** The open page, whose search parameters have this schema. */
export const samePage = <Schema extends z.ZodType>(_schema: Schema): PathOf<Schema> => '.' as PathOf<Schema>;

/** A path from outside of the code, such as a menu of the hub or the URL to return to. */
export const pathFrom = (text: string): Path => text as Path;

type NavigateOptions = { replace?: boolean; resetScroll?: boolean; ignoreBlocker?: boolean };

type LinkProps<Search> = Target<Search> & Omit<ComponentProps<'a'>, 'href'>;
export const Link = router.Link as <Search>(props: LinkProps<Search>) => ReactNode;

export const Navigate = router.Navigate as <Search>(props: Target<Search> & NavigateOptions) => ReactNode;

/** `search` may also keep the parameters of the URL, or change them. */
export type Navigation<Search> = NavigateOptions & {
  to: Path<Search>;
  search?: NoInfer<Search> | ((current: NoInfer<Search>) => NoInfer<Search>) | true | undefined;
};
export type NavigatePage = <Search>(navigation: Navigation<Search>) => Promise<void>;
export const useNavigate = router.useNavigate as () => NavigatePage;

export const redirect = router.redirect as <Search>(target: Target<Search> & NavigateOptions) => unknown;

/** The search parameters of the URL, read with the page's schema. */
export const usePageSearch = <Search>(schema: z.ZodType<Search>): Search =>
  schema.parse(router.useSearch({ strict: false }));
