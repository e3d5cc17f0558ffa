import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { NotifiedPerson } from '../messages/notified-people.ts'
import { type HttpClient, jsonOf } from '../product/http-client.ts'

/** A user who claims events, through a server of their own. */
interface Racer {
  client: HttpClient
  person: NotifiedPerson
}

interface RaceResult {
  /**
   * Claims with If-Match, as the console sends them, that did not end with one 200 and one 412 that names the owner.
   */
  wrong: string[]
  /**
   * Claims without If-Match, where the later one takes over, that did not end with two 200 and a history that shows
   * both.
   */
  wrongTakeovers: string[]
  /** Events for which the two servers name different owners afterwards. */
  disagreements: string[]
  /** The number of pairs that each of the two won. */
  won: [number, number]
}

const AT_ONCE = 4

interface Change {
  property: string | null
  oldValue: string | null
  newValue: string | null
}

/**
 * Lets both users claim each event at the same moment, over one server each; every other time with the version that
 * they saw.
 */
export async function raceForEvents(racers: readonly [Racer, Racer], ids: readonly string[]): Promise<RaceResult> {
  const result: RaceResult = { wrong: [], wrongTakeovers: [], disagreements: [], won: [0, 0] }
  const waiting = [...ids.entries()]
  const run = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await raceOnce(racers, { at: next[0], id: next[1] }, result)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  return result
}

async function raceOnce(
  racers: readonly [Racer, Racer],
  { at, id }: { at: number; id: string },
  result: RaceResult,
): Promise<void> {
  const [first, second] = racers
  const before = jsonOf<ServiceEvent>(await read(first, id))
  const byVersion = at % 2 === 0
  const claim = ({ client, person }: Racer) =>
    client.send({
      method: 'PUT',
      path: `/api/alarms/${id}`,
      token: person.token,
      body: JSON.stringify({ claimedBy: person.id }),
      ...(byVersion && { headers: { 'if-match': `"${before.version}"` } }),
    })
  // They take turns in going first, because the first request is some microseconds ahead.
  const answers = at % 4 < 2 ? [claim(first), claim(second)] : [claim(second), claim(first)].toReversed()
  const [ofFirst, ofSecond] = await Promise.all(answers)
  if (!ofFirst || !ofSecond) throw new Error('Two claims have two answers.')
  const owner = jsonOf<ServiceEvent>(await read(first, id)).claimedBy
  const elsewhere = jsonOf<ServiceEvent>(await read(second, id)).claimedBy
  if (owner !== elsewhere) result.disagreements.push(`${id}: ${owner} and ${elsewhere}`)
  const history = jsonOf<{ values: Change[] }>(
    await first.client.send({ method: 'GET', path: `/api/alarms/${id}/history`, token: first.person.token }),
  ).values.filter(({ property }) => property === 'claimedBy')
  const statuses = [ofFirst.status, ofSecond.status]
  const account = `${id}: ${statuses.join(' and ')}, owner ${owner}, ${history.length} changes`
  if (byVersion) {
    const winner = ofFirst.status === 200 ? first : second
    const refused = ofFirst.status === 200 ? ofSecond : ofFirst
    const named = (JSON.parse(refused.body) as { event?: ServiceEvent }).event?.claimedBy
    const isRight =
      statuses.toSorted((a, b) => a - b).join() === '200,412' &&
      owner === winner.person.id &&
      named === owner &&
      history.length === 1
    if (!isRight) result.wrong.push(`${account}, named ${named}`)
    result.won[winner === first ? 0 : 1] += 1
  } else {
    const isChain = history.length === 2 && history[0]?.newValue === history[1]?.oldValue
    if (statuses.join() !== '200,200' || !isChain) result.wrongTakeovers.push(account)
  }
}

function read({ client, person }: Racer, id: string) {
  return client.send({ method: 'GET', path: `/api/alarms/${id}`, token: person.token })
}
