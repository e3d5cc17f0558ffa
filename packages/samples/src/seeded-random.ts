/**
 * Random numbers that are identical for the same seed on every machine and in every run. Not for secrets.
 *
 * `fork` starts an independent stream, so that an additional draw in one place (a new field, a new instrument) changes
 * nothing elsewhere.
 */
export interface SeededRandom {
  /** 0 ≤ x < 1. */
  next(): number
  /** low ≤ x < high. */
  between(low: number, high: number): number
  /** Integer, both ends included. */
  integer(low: number, high: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Returns an item of the list, in proportion to the weights. */
  weighted<T>(list: readonly T[], weightOf: (item: T) => number): T
  fork(label: string): SeededRandom
}

export function seededRandom(seed: string): SeededRandom {
  const next = sfc32(seed)
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => item(list, Math.floor(next() * list.length)),
    weighted(list, weightOf) {
      let left = next() * list.reduce((sum, entry) => sum + weightOf(entry), 0)
      const chosen = list.findIndex((entry) => {
        left -= weightOf(entry)
        return left < 0
      })
      return item(list, chosen < 0 ? list.length - 1 : chosen)
    },
    fork: (label) => seededRandom(`${seed}/${label}`),
  }
}

function item<T>(list: readonly T[], index: number): T {
  if (list.length === 0) throw new Error('There is nothing to choose from in an empty list.')
  return list[index] as T
}

/** FNV-1a with a final mix (murmur3), started from four bases: 128 bits of state from any text. */
function stateOf(seed: string): [number, number, number, number] {
  const word = (basis: number) => {
    let hash = basis
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 16_777_619)
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
    return (hash ^ (hash >>> 16)) >>> 0
  }
  return [word(2_166_136_261), word(709_607), word(1_540_483_477), word(374_761_393)]
}

/** Small Fast Counter, 32 bits (Doty-Humphrey): passes PractRand, a few nanoseconds per number. */
function sfc32(seed: string): () => number {
  let [a, b, c, counter] = stateOf(seed)
  const step = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let round = 0; round < 12; round++) step()
  return step
}
