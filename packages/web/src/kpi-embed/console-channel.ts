import { type KpiPass, readToDashboard, type ToConsole } from '../features/kpi/kpi-messages.ts'
import { isSameQuestion, type KpiQuestion, writeKpiQuestion } from '../features/kpi/kpi-question.ts'
import { ApiError, type Credentials } from '../lib/http.ts'

/** A token this close to its end is not worth sending: a table may wait its turn for a while. */
const MARGIN_MS = 20_000
/** The console asks the server; longer than that it is gone. */
const ANSWER_MS = 20_000

interface ConsoleListener {
  /** The address of the console asks for something else by now. */
  onQuestion: (question: KpiQuestion) => void
  /** The console has no token for this person any more. */
  onEnd: () => void
}

/**
 * The console around this page: it hands out tokens, tells its theme and which figures its address asks for, and keeps
 * what is chosen here in its address. Only messages of this origin and of the window around count.
 */
export class ConsoleChannel {
  /** This page's own window where it was opened by itself. */
  readonly #around = window.parent
  #pass: KpiPass | null
  #wanted: PromiseWithResolvers<string | null> | null = null
  #told: KpiQuestion | null = null
  #listener: ConsoleListener | null = null

  constructor(pass: KpiPass | null) {
    this.#pass = pass
    window.addEventListener('message', (event) => this.#hear(event))
  }

  /** What calls of this page are signed with. */
  readonly credentials: Credentials = {
    token: () => (this.#pass !== null && this.#pass.expiresAt - Date.now() > MARGIN_MS ? this.#pass.token : null),
    renew: () => this.#renew(),
    expire: () => this.#listener?.onEnd(),
  }

  /** Tells one listener; answers how to stop. */
  listen(listener: ConsoleListener): () => void {
    this.#listener = listener
    return () => {
      this.#listener = null
    }
  }

  /** Another question was chosen here. */
  ask(question: KpiQuestion): void {
    this.#told = question
    this.#tell({ kind: 'kpi-asked', search: writeKpiQuestion(question) })
  }

  /** One message for all tables that wait for the same token. */
  async #renew(): Promise<string | null> {
    // Opened by itself there is nobody to ask.
    if (this.#around === window) return null
    if (this.#wanted === null) {
      const wanted = Promise.withResolvers<string | null>()
      this.#wanted = wanted
      const failed = () => this.#fail('The console did not answer. Reload the page.')
      const timer = window.setTimeout(failed, ANSWER_MS)
      const settle = () => {
        window.clearTimeout(timer)
        if (this.#wanted === wanted) this.#wanted = null
      }
      wanted.promise.then(settle, settle)
      this.#tell({ kind: 'kpi-pass-wanted' })
    }
    return this.#wanted.promise
  }

  #fail(reason: string): void {
    this.#wanted?.reject(new ApiError(reason, { status: 0, code: 'network' }))
  }

  #tell(message: ToConsole): void {
    if (this.#around !== window) this.#around.postMessage(message, window.location.origin)
  }

  #hear({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== window.location.origin || source !== this.#around) return
    const said = readToDashboard(data)
    if (said === null) return
    switch (said.kind) {
      case 'kpi-theme':
        document.documentElement.dataset.mantineColorScheme = said.theme
        break
      case 'kpi-question':
        // What was told from here comes back at times.
        if (this.#told !== null && isSameQuestion(said.question, this.#told)) break
        this.#told = said.question
        this.#listener?.onQuestion(said.question)
        break
      case 'kpi-pass':
        this.#pass = said.pass
        this.#wanted?.resolve(said.pass?.token ?? null)
        break
      case 'kpi-pass-failed':
        this.#fail(said.reason)
        break
    }
  }
}
