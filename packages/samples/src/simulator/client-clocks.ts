import { seededRandom } from '../seeded-random.ts'

const known = new Map<string, number>()

/**
 * Milliseconds by which a client PC's clock is ahead of its instruments': nobody sets the time of every fourth PC, which
 * is then about a minute and a half ahead. The same for all instruments that are linked with the PC.
 */
export function clockAhead(client: string): number {
  const before = known.get(client)
  if (before !== undefined) return before
  const random = seededRandom(`clock of ${client}`)
  const ahead = random.chance(0.25) ? Math.round(random.between(70, 110)) * 1000 : 0
  known.set(client, ahead)
  return ahead
}
