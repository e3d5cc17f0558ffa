import type { ClusterWindow, EventCluster, LocationSummary, PlaceSelection, PlacesFound } from './locations.ts'

/** `generation` counts loads; cluster ids are valid within one generation only. */
export type LoadedLocations = LocationSummary & { generation: number }

/** Calls of the worker. Bytes are raw answers of POST /alarms/geo-locations, transferred and not copied. */
export interface WorkerCalls {
  /** After the answer, it clusters `zoom`, which is requested next, while the screen draws the panel. */
  load: (bytes: ArrayBuffer, zoom: number) => LoadedLocations
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

/** Counts event locations in a worker, so that the screen stays responsive while megabytes are parsed. */
export class MapIndex {
  static #made = 0
  /** Part of query keys. */
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
    // The worker may not even have started; callers must not wait for an answer forever.
    worker.addEventListener('error', () => this.#fail('The map could not be calculated. Try again.'))
    worker.addEventListener('messageerror', () => this.#fail('The map could not be read. Try again.'))
  }

  /** True if it cannot answer any more; a new index may. */
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
