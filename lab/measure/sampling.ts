import { type Summary, summarise } from './percentiles.ts'

/** One thing to be timed; `index` counts from 0, so that each sample can ask for something else. */
export type Timed = (index: number) => Promise<unknown>

export interface SamplingOptions {
  samples: number
  /** No more samples after this long; the fewest are still taken. */
  seconds: number
}

const WARM_UPS = 10
/** Of what is too slow for more in the time. */
const FEWEST = 10
/** The product and its floor take turns in blocks of this many, so that what else the machine does meets both. */
const BLOCK = 10

/**
 * Times the product, and what the same would cost at best, one request after the other. A slow one warms up less: three
 * times are enough for its pages to be in memory.
 */
export async function samplePair(
  { product, floor }: { product: Timed; floor?: Timed | undefined },
  { samples, seconds }: SamplingOptions,
): Promise<{ product: Summary; floor: Summary | null }> {
  await warmUp(product, seconds)
  if (floor) await warmUp(floor, seconds)
  const times: { product: number[]; floor: number[] } = { product: [], floor: [] }
  const begun = performance.now()
  const isOver = () => performance.now() - begun > seconds * 1000
  while (times.product.length < samples && !(times.product.length >= FEWEST && isOver())) {
    await block(product, times.product)
    if (floor) await block(floor, times.floor)
  }
  return { product: summarise(times.product), floor: floor ? summarise(times.floor) : null }

  async function block(work: Timed, into: number[]): Promise<void> {
    for (let turn = 0; turn < BLOCK && into.length < samples; turn++) {
      // Behind the warm-ups, so that no sample asks what was asked before.
      const index = WARM_UPS + into.length
      const start = performance.now()
      await work(index)
      into.push(performance.now() - start)
      if (into.length >= FEWEST && isOver()) return
    }
  }
}

async function warmUp(work: Timed, seconds: number): Promise<void> {
  const begun = performance.now()
  for (let index = 0; index < WARM_UPS; index++) {
    await work(index)
    if (index >= 2 && performance.now() - begun > (seconds * 1000) / 10) return
  }
}

/** Runs so many workers, each one call after the other, for some seconds; gives the times of all calls and how long it took. */
export async function closedLoop(
  work: (worker: number) => Promise<unknown>,
  { workers, seconds }: { workers: number; seconds: number },
): Promise<{ times: number[]; seconds: number }> {
  const times: number[] = []
  const begun = performance.now()
  const end = begun + seconds * 1000
  const loop = async (worker: number) => {
    while (performance.now() < end) {
      const start = performance.now()
      await work(worker)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => loop(worker)))
  return { times, seconds: (performance.now() - begun) / 1000 }
}
