import { isTest, type Project } from './project.ts'
import type { ArchitectureRules } from './rules.ts'
import { levelOf, workspaceOf } from './rules.ts'

type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/** Matches the content between the markers of a picture. The first group is the picture's name. */
const frame = /(?<=<!-- picture: ([\w ]+) -->\n).*?(?=<!-- \/picture -->)/gs

/**
 * Inserts the pictures between the markers of a Markdown page. Throws if the page has no marker or names an unknown
 * picture.
 */
export function drawInto(page: string, pictures: ReadonlyMap<string, string>): string {
  if (page.search(frame) < 0) throw new Error('The page has no place for a picture: <!-- picture: rooms -->.')
  return page.replace(frame, (_old, name: string) => {
    const picture = pictures.get(name)
    if (picture !== undefined) return picture
    throw new Error(`There is no picture "${name}". Pictures: ${[...pictures.keys()].join(', ')}.`)
  })
}

/** Returns the pictures by name: the rooms of the repository, and the levels and features of each room. */
export function drawPictures(project: Project, rules: ArchitectureRules): Map<string, string> {
  const rooms = arrowsBetween(project, (file) => workspaceOf(file, rules))
  const pictures = new Map([['rooms', flowchart('BT', rooms.inCode, rooms.inTests)]])
  for (const [room, levels] of Object.entries(rules.levels)) {
    const between = (placeOf: (file: string) => string | undefined) =>
      flowchart('LR', withoutDetours(arrowsBetween(project, placeOf).inCode))
    pictures.set(
      `${room} levels`,
      between((file) => levelOf(file, levels)),
    )
    pictures.set(
      `${room} features`,
      between((file) => levels.features.pattern.exec(file)?.[1]),
    )
  }
  return pictures
}

/** Returns the imports between places, types included, for code and for tests; `placeOf` maps files to places. */
function arrowsBetween(
  { modules, arrows }: Project,
  placeOf: (file: string) => string | undefined,
): { inCode: Arrows; inTests: Arrows } {
  const places = [...modules.keys()].map(placeOf).filter((place) => place !== undefined)
  const inCode = new Map(places.toSorted().map((place) => [place, new Set<string>()]))
  const inTests = new Map([...inCode.keys()].map((place) => [place, new Set<string>()]))
  for (const { from, to } of arrows) {
    const [start, end] = [placeOf(from), placeOf(to)]
    if (start === undefined || end === undefined || start === end) continue
    const into = isTest(from) ? inTests : inCode
    into.get(start)?.add(end)
  }
  for (const [place, ends] of inTests) for (const end of inCode.get(place) ?? []) ends.delete(end)
  return { inCode, inTests }
}

/**
 * Removes arrows that a path through other places implies (transitive reduction), because a picture with all of them
 * is unreadable.
 */
function withoutDetours(arrows: Arrows): Arrows {
  const behind = new Map([...arrows.keys()].map((place) => [place, reachedFrom(place, arrows)]))
  return new Map(
    [...arrows].map(([from, ends]) => [
      from,
      new Set([...ends].filter((end) => ![...ends].some((other) => other !== end && behind.get(other)?.has(end)))),
    ]),
  )
}

function reachedFrom(place: string, arrows: Arrows): Set<string> {
  const reached = new Set(arrows.get(place))
  // Iterating over a set includes elements added during the iteration.
  for (const next of reached) for (const end of arrows.get(next) ?? []) reached.add(end)
  return reached
}

/** Draws a Mermaid flowchart, followed by a sentence with the unlinked places. */
function flowchart(direction: 'BT' | 'LR', arrows: Arrows, dotted: Arrows = new Map()): string {
  const line = (from: string, link: string, to: ReadonlySet<string>) =>
    to.size === 0 ? '' : `  ${from} ${link} ${[...to].toSorted().join(' & ')}\n`
  const linked = new Set([...arrows, ...dotted].flatMap(([from, to]) => (to.size > 0 ? [from, ...to] : [])))
  const alone = [...arrows.keys()].filter((place) => !linked.has(place)).map((place) => `\`${place}\``)
  return [
    `\`\`\`mermaid\nflowchart ${direction}\n`,
    ...[...arrows].map(([from, to]) => line(from, '-->', to)),
    ...[...dotted].map(([from, to]) => line(from, '-.->', to)),
    '```\n',
    ...(alone.length > 0 ? [`\nWithout an arrow: ${alone.join(', ')}.\n`] : []),
  ].join('')
}
