import { type Summary, summarise } from './percentiles.ts'

/** The work to be timed; `index` counts from 0, so that each sample can ask for something else. */
export type Timed = (index: number) => Promise<unknown>

export interface SamplingOptions {
  samples: number
  /** No more samples are taken after this many seconds, except for the minimum. */
  seconds: number
}

const WARM_UPS = 10
/** The minimum number of samples of slow work. */
const FEWEST = 10
/** The product and its floor take turns in blocks of this size, so that other work of the machine affects both. */
const BLOCK = 10

/**
 * Times the product and its floor, one request after the other. Slow work warms up less: three times are enough to load
 * its pages into memory.
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
      // Indexes continue after the warm-ups, so that no sample repeats a request.
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

/**
 * Runs this many workers for some seconds; each makes one call after the other. Returns the times of all calls and how
 * long it took.
 */
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
