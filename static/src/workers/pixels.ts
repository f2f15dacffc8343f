// Work on pixels away from the page, so that no frame waits for it: reading 16-bit files, equalising tiles.
import { equalised } from "../core/clahe";
import { greyRange, halved } from "../core/grey";
import { readGrey16 } from "../core/png16";
import { levelSizes } from "../view/levels";
import type { Asked, EqualisedTiles, ReadPicture } from "../view/pixel_worker";

addEventListener("message", (event: MessageEvent<{ readonly id: number; readonly asked: Asked }>) => {
  const { id, asked } = event.data;
  const answer = asked.kind === "equalise" ? Promise.resolve(equalise(asked)) : read(asked.file);
  answer.then(
    (made) => { postMessage({ id, made }, { transfer: made.kind === "tiles" ? made.words.map(({ buffer }) => buffer) : made.levels.map(({ buffer }) => buffer) }); },
    (fault: unknown) => { postMessage({ id, fault: String(fault) }); },
  );
});

function equalise({ tiles, level, local, channel }: Extract<Asked, { kind: "equalise" }>): EqualisedTiles {
  return { kind: "tiles", words: tiles.map(({ words, ...place }) => equalised(words, place, level, local, channel)) };
}

async function read(file: ArrayBuffer): Promise<ReadPicture> {
  const { width, height, samples } = await readGrey16(new Uint8Array(file));
  const sizes = levelSizes({ width, height });
  const levels = [samples];
  sizes.slice(1).forEach((size, i) => { levels.push(halved(levels[i] ?? samples, sizes[i] ?? size, size)); });
  return { kind: "picture", width, height, levels, range: greyRange(samples) };
}
