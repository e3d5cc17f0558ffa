import { Readable } from 'node:stream'
import { setImmediate as othersTurn } from 'node:timers/promises'

/** About 1 MB, and 5 ms of the server's time. */
const VALUES_AT_ONCE = 5000

interface LongAnswer {
  values: readonly unknown[]
}

/** Whether to write an answer part by part, so that others are answered meanwhile and 20 MB are never one text. */
export function isLong(answer: unknown): answer is LongAnswer {
  const values = (answer as Partial<LongAnswer> | null | undefined)?.values
  return Array.isArray(values) && values.length > VALUES_AT_ONCE
}

/** The JSON of an answer, its values first. */
export function inParts(answer: LongAnswer): Readable {
  // Texts, and no more of them ahead of a slow reader than one.
  return Readable.from(partsOf(answer), { highWaterMark: 1 })
}

async function* partsOf({ values, ...rest }: LongAnswer): AsyncGenerator<string> {
  for (let from = 0; from < values.length; from += VALUES_AT_ONCE) {
    const some = JSON.stringify(values.slice(from, from + VALUES_AT_ONCE)).slice(1, -1)
    yield `${from === 0 ? '{"values":[' : ','}${some}`
    await othersTurn()
  }
  yield `],${JSON.stringify(rest).slice(1)}`
}
