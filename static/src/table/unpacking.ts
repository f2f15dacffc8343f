// A case's masks, unpacked before it is shown, and the polls made of them.
import type { Size } from "../core/geometry";
import type { Toggles } from "../core/rle";
import { unpackMask } from "../sync/mask_text";
import { PRESENT, nameOf } from "../workbench/answers";
import { type Layer, layerOf } from "../workbench/layers";
import { type Ballot, Poll, ballotMasks } from "./poll";
import type { Answer, TableCase, TableTarget } from "./wire";

/** Throws a RangeError when a mask does not fit its picture or its digest. */
export async function pollsOf(file: TableCase): Promise<ReadonlyMap<string, Poll>> {
  const places = file.images.flatMap((image) => file.targets.map((target) => ({ image, target })));
  // Letters after Z are two: their order is the server's, not the alphabet's.
  const order = new Map(file.graders.map(({ code }, place) => [code, place]));
  const polls = places.map(async ({ image, target }) => {
    const given = file.readings.flatMap((reading) => reading.answers.filter((answer) => answer.position === image.position && answer.target === target.key).map((answer) => ({ reading, answer })));
    const ballots = given.map(async ({ reading, answer }): Promise<Ballot> => ({
      reading: reading.id, grader: reading.grader, content: answer.content, masks: ballotMasks(answer.content, await masksOf(answer, image), image),
    }));
    const inOrder = (await Promise.all(ballots)).sort((one, other) => (order.get(one.grader) ?? 0) - (order.get(other.grader) ?? 0));
    return [nameOf(image.position, target.key), new Poll(target, image, inOrder)] as const;
  });
  return new Map(await Promise.all(polls));
}

export function masksOf({ masks }: Pick<Answer, "masks">, size: Size): Promise<readonly Toggles[]> {
  return Promise.all(masks.map((mask) => unpackMask(mask, size)));
}

/** What was adjusted, as it lies on its layer; null where nothing is drawn. */
export async function layerFor({ kind }: TableTarget, { content, masks }: Pick<Answer, "content" | "masks">, size: Size): Promise<Layer | null> {
  if (content.answer !== PRESENT || (kind !== "mask" && kind !== "ellipse" && kind !== "objects")) return null;
  return layerOf(kind === "objects" ? "objects" : "mask", await masksOf({ masks }, size), size);
}
