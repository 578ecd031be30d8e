declare module "subset-font" {
  type SubsetOptions = {
    targetFormat?: "sfnt" | "woff" | "woff2";
    /** OpenType feature tags; all where left out. */
    keepFeatures?: string[];
    noHinting?: boolean;
    variationAxes?: Record<string, number | { min: number; max: number }>;
  };
  export default function subsetFont(
    font: Buffer,
    text: string,
    options?: SubsetOptions,
  ): Promise<Buffer>;
}
