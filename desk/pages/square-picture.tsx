import { useState } from "react";
import { Field } from "../ui.tsx";

type SquarePictureProps = {
  name: string;
  label: string;
  help: string | undefined;
  shown: string | null;
  value?: string;
  /** A photo's faces are in its upper part; a drawing's ground may show through. */
  kind: "photo" | "drawing";
};

/** A picture that is cut square and drawn small in the browser: upright, and without what a camera wrote beside it. */
export function SquarePicture({ name, label, help, shown, value, kind }: SquarePictureProps) {
  const [drawn, setDrawn] = useState<string | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);

  async function take(file: File | undefined) {
    if (!file) return;
    const made = await drawSquare(file, kind);
    setUnreadable(made === null);
    if (made) setDrawn(made);
  }
  const picture = drawn ?? shown;
  const what = label.toLowerCase();
  return (
    <div className="row">
      {picture && (
        <img src={picture} alt={`The ${drawn ? `new ${what}` : `${what} now`}`} width={64} />
      )}
      <input type="hidden" name={name} value={drawn ?? value ?? ""} />
      <Field label={shown ? `Another ${what}` : label} help={help}>
        <input
          type="file"
          accept="image/*"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
        {isUnreadable && (
          <strong className="mistake" role="alert">
            This browser can’t read that picture. Save it as PNG or JPEG.
          </strong>
        )}
      </Field>
      {shown && (
        <label className="check">
          <input type="checkbox" name={`${name}.none`} value="yes" />
          Without it
        </label>
      )}
    </div>
  );
}

/** The picture as a `data:` URL; null where it can't be read. */
async function drawSquare(file: File, kind: SquarePictureProps["kind"]) {
  const sidePx = kind === "photo" ? 480 : 224;
  const image = new Image();
  const reader = new FileReader();
  reader.readAsDataURL(file);
  await new Promise((resolve) => reader.addEventListener("loadend", resolve));
  image.src = String(reader.result);
  const isRead = await image.decode().then(
    () => true,
    () => false,
  );
  const canvas = document.createElement("canvas");
  const drawing = canvas.getContext("2d");
  if (!isRead || !drawing) return null;
  canvas.width = canvas.height = sidePx;
  // A browser that hides its fingerprint returns noise from a canvas: the picture stays as it is.
  drawing.fillStyle = "#123456";
  drawing.fillRect(0, 0, 1, 1);
  if (`${drawing.getImageData(0, 0, 1, 1).data}` !== "18,52,86,255") return image.src;
  drawing.clearRect(0, 0, 1, 1);
  drawing.imageSmoothingQuality = "high";
  // A drawing may have no size of its own.
  const [width, height] = [image.naturalWidth || sidePx, image.naturalHeight || sidePx];
  const side = Math.min(width, height);
  const top = (height - side) / (kind === "photo" ? 3 : 2);
  drawing.drawImage(image, (width - side) / 2, top, side, side, 0, 0, sidePx, sidePx);
  return kind === "photo" ? canvas.toDataURL("image/jpeg", 0.82) : canvas.toDataURL("image/png");
}
