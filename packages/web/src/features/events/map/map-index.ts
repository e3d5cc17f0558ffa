import type {
  ClusterWindow,
  CountryCounts,
  EventCluster,
  LocationSummary,
  PlaceSelection,
  PlacesFound,
} from './locations.ts'

/** `generation` counts what was loaded; marks name clusters of theirs alone. */
export type LoadedLocations = LocationSummary & { generation: number }

/** What the worker does. Bytes are answers of POST /alarms/geo-locations as they came; they are handed over, not copied. */
export interface WorkerCalls {
  /** Once it has answered it clusters `zoom`, which will be asked for next, while the screen draws the panel. */
  load: (bytes: ArrayBuffer, zoom: number) => LoadedLocations
  countCountries: (bytes: ArrayBuffer) => CountryCounts[]
  clustersIn: (window: ClusterWindow, generation: number) => EventCluster[]
  placesIn: (selection: PlaceSelection, shown: number, generation: number) => PlacesFound
}
type CallName = keyof WorkerCalls

export interface WorkerQuestion {
  id: number
  name: CallName
  input: unknown[]
}
export type WorkerAnswer = { id: number; result: unknown } | { id: number; problem: string }

interface Waiting {
  resolve: (result: never) => void
  reject: (error: Error) => void
}

/** Where events are, counted in a worker, so that the screen answers while megabytes are read. */
export class MapIndex {
  static #made = 0
  /** What it is called in keys of queries. */
  readonly id: number
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #questions = 0
  #failure: Error | null = null

  constructor(worker = new Worker(new URL('./location-worker.ts', import.meta.url), { type: 'module' })) {
    MapIndex.#made += 1
    this.id = MapIndex.#made
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => this.#take(data))
    // It may not even have started: without an answer, whoever waits would wait for ever.
    worker.addEventListener('error', () => this.#fail('The map could not be counted in this browser. Try again.'))
    worker.addEventListener('messageerror', () => this.#fail('The map could not be read. Try again.'))
  }

  /** Whether it can't answer any more; a new one may. */
  get hasFailed(): boolean {
    return this.#failure !== null
  }

  ask<N extends CallName>(name: N, ...input: Parameters<WorkerCalls[N]>): Promise<ReturnType<WorkerCalls[N]>> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    this.#questions += 1
    const question: WorkerQuestion = { id: this.#questions, name, input }
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject })
      this.#worker.postMessage(
        question,
        input.filter((value) => value instanceof ArrayBuffer),
      )
    })
  }

  close(): void {
    this.#worker.terminate()
    this.#fail('The map was left.')
  }

  #take(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('problem' in answer) waiting?.reject(new Error(answer.problem))
    else waiting?.resolve(answer.result as never)
  }

  #fail(reason: string): void {
    this.#failure ??= new Error(reason)
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}
