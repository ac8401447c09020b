/** Requires exactly the keys of the Chinese file: a missing or additional one does not compile. */
export type Texts<Chinese> = { [Key in keyof Chinese]: string } & {
  // Chinese has no plural forms; English adds `_one`.
  [Key in keyof Chinese & string as `${Key}_one`]?: string;
};
