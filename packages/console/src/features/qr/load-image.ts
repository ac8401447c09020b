/** Throws when the browser cannot draw it. */
export const loadImage = async (address: string): Promise<HTMLImageElement> => {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
};
