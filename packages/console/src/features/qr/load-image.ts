/** Throws if the browser cannot decode the image. */
export const loadImage = async (address: string): Promise<HTMLImageElement> => {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
};
