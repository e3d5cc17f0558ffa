import { reasonOf } from '../../../lib/folded.ts'
import { LocationIndex } from './location-index.ts'
import type { WorkerAnswer, WorkerCalls, WorkerQuestion } from './map-index.ts'

/** The worker side of `MapIndex`. It holds one index at a time, the newest. */
let index: LocationIndex | null = null
let generation = 0
/** Work to do in advance, after the answer is sent. */
let afterwards = () => undefined as void

function current(expected?: number): LocationIndex {
  if (index === null || (expected !== undefined && expected !== generation))
    throw new Error('These places were read again.')
  return index
}

const calls: WorkerCalls = {
  load: (bytes, zoom) => {
    const loaded = new LocationIndex(bytes)
    index = loaded
    generation += 1
    afterwards = () => loaded.prepare(zoom)
    return { ...index.summary(), generation }
  },
  clustersIn: (window, expected) => current(expected).clustersIn(window),
  placesIn: (selection, shown, expected) => current(selection.cluster && expected).placesIn(selection, shown),
}

addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  const { id, name, input } = data
  let answer: WorkerAnswer
  try {
    answer = { id, result: (calls[name] as (...values: unknown[]) => unknown)(...input) }
  } catch (error) {
    answer = { id, problem: reasonOf(error) }
  }
  postMessage(answer)
  afterwards()
  afterwards = () => undefined
})
