import { type KpiPass, readToDashboard, type ToConsole } from '../features/kpi/kpi-messages.ts'
import { isSameQuestion, type KpiQuestion, writeKpiQuestion } from '../features/kpi/kpi-question.ts'
import { ApiError, type Credentials } from '../lib/http.ts'

/** A token this close to its expiry is not used, because a table may wait in the queue for a while. */
const MARGIN_MS = 20_000
/** Timeout for an answer of the console, which itself asks the server. */
const ANSWER_MS = 20_000

interface ConsoleListener {
  /** Called when the console's address selects other days or customers. */
  onQuestion: (question: KpiQuestion) => void
  /** Called when the console has no more tokens for this user. */
  onEnd: () => void
}

/**
 * Connects this page with the console around it, which provides tokens and the theme and keeps the selection in its
 * address. Ignores messages from other origins and windows.
 */
export class ConsoleChannel {
  /** Equals this page's own window if the page was opened outside the console. */
  readonly #around = window.parent
  #pass: KpiPass | null
  #pending: PromiseWithResolvers<string | null> | null = null
  #reported: KpiQuestion | null = null
  #listener: ConsoleListener | null = null

  constructor(pass: KpiPass | null) {
    this.#pass = pass
    window.addEventListener('message', (event) => this.#hear(event))
  }

  /** Credentials for the API calls of this page. */
  readonly credentials: Credentials = {
    token: () => (this.#pass !== null && this.#pass.expiresAt - Date.now() > MARGIN_MS ? this.#pass.token : null),
    renew: () => this.#renew(),
    expire: () => this.#listener?.onEnd(),
  }

  /** Registers the listener and returns a function that removes it. */
  listen(listener: ConsoleListener): () => void {
    this.#listener = listener
    return () => {
      this.#listener = null
    }
  }

  /** Reports a new selection to the console. */
  ask(question: KpiQuestion): void {
    this.#reported = question
    this.#send({ kind: 'kpi-asked', search: writeKpiQuestion(question) })
  }

  /** Asks the console to show events. `search` is an address of the event list. */
  showEvents(search: Record<string, string>): void {
    this.#send({ kind: 'kpi-events', search })
  }

  /** Sends one message for all tables that wait for the same token. */
  async #renew(): Promise<string | null> {
    // Outside the console, there is no window to ask.
    if (this.#around === window) return null
    if (this.#pending === null) {
      const pending = Promise.withResolvers<string | null>()
      this.#pending = pending
      const failed = () => this.#fail('The console did not answer. Reload the page.')
      const timer = window.setTimeout(failed, ANSWER_MS)
      const settle = () => {
        window.clearTimeout(timer)
        if (this.#pending === pending) this.#pending = null
      }
      pending.promise.then(settle, settle)
      this.#send({ kind: 'kpi-pass-wanted' })
    }
    return this.#pending.promise
  }

  #fail(reason: string): void {
    this.#pending?.reject(new ApiError(reason, { status: 0, code: 'network' }))
  }

  #send(message: ToConsole): void {
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
        // The console may echo a selection that came from here.
        if (this.#reported !== null && isSameQuestion(said.question, this.#reported)) break
        this.#reported = said.question
        this.#listener?.onQuestion(said.question)
        break
      case 'kpi-pass':
        this.#pass = said.pass
        this.#pending?.resolve(said.pass?.token ?? null)
        break
      case 'kpi-pass-failed':
        this.#fail(said.reason)
        break
    }
  }
}
