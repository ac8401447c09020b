/** The same keys as the Chinese file, each a sentence: leaving one out, or adding one, does not compile. */
export type Texts<Chinese> = { [Key in keyof Chinese]: string } & {
  // Chinese has one form; `_one` is for languages that count otherwise.
  [Key in keyof Chinese & string as `${Key}_one`]?: string;
};
