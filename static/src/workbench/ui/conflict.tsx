// An answer was changed in two places: both versions over the picture, and the choice between them.
import { t } from "../../i18n";
import { commentText, isComment } from "../../sync/comment";
import type { Change } from "../../sync/queue";
import type { Stored } from "../../sync/wire";
import { nameOf } from "../answers";
import { clock, describe } from "../words";
import { Modal } from "./modal";
import { LineSample, Versions, useShapes } from "./versions";
import type { Props } from "./work";

interface ConflictProps extends Props { readonly change: Change; readonly current: Stored }

/** What the server has cannot be read any more: nothing takes its place unless the grader says so. */
export function Damaged({ work, change, current }: ConflictProps) {
  const { state, turning } = work;
  const target = state.bench.value?.targets.find(({ key }) => key === change.target)?.name ?? change.target;
  const decide = (keepMine: boolean): void => { void turning.decide(nameOf(change.position, change.target), keepMine, current).then(() => { work.picture.focus(); }); };
  return (
    <Modal title={t("Replace what cannot be read?")} onClose={null} foot={<>
      <button type="button" class="button" onClick={() => { decide(false); }}>{t("Leave it as it is")}</button>
      <button type="button" class="button button-primary" onClick={() => { decide(true); }}>{t("Replace it with mine")}</button></>}>
      <p>{t("“{target}” was saved before, but what is stored cannot be read any more. Your new answer can take its place; or leave it as it is and tell the organiser.", { target })}</p>
    </Modal>
  );
}

export function Conflict({ work, change, current }: ConflictProps) {
  const { state, turning } = work;
  const target = state.bench.value?.targets.find(({ key }) => key === change.target);
  const image = state.bench.value?.images.find(({ position }) => position === change.position);
  const name = nameOf(change.position, change.target);
  const mine = turning.saving?.saver.queue.newest(change) ?? change;
  const shapes = useShapes(image, [mine, current]);
  const words = (version: Change | Stored, place: number): string => (isComment(change) ? commentText(version.content) || t("No comment") : describe(target, version.content, shapes[place]?.painted));
  const decide = (keepMine: boolean): void => { void turning.decide(name, keepMine, current).then(() => { work.picture.focus(); }); };
  return (
    <Modal title={t("Changed in another tab or on another device")} onClose={null} foot={<>
      <button type="button" class="button" onClick={() => { decide(false); }}>{t("Keep the other")}</button>
      <button type="button" class="button button-primary" onClick={() => { decide(true); }}>{t("Keep mine")}</button></>}>
      <p>{t("“{target}” has two versions. Which one is right? The other is given up.", { target: isComment(change) ? t("Comment") : target?.name ?? change.target })}</p>
      {image !== undefined && <Versions image={image} shapes={shapes} />}
      <dl class="wb-versions">
        <div><dt>{image !== undefined && <LineSample place={0} />}{t("Mine, in this window")}</dt><dd>{words(mine, 0)}</dd></div>
        <div><dt>{image !== undefined && <LineSample place={1} />}{current.saved_at === null ? t("The other") : t("The other, saved at {time}", { time: clock(current.saved_at) })}</dt><dd>{words(current, 1)}</dd></div>
      </dl>
    </Modal>
  );
}
