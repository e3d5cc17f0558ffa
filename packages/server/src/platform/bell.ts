/** Lets a loop sleep until it is rung, a time has passed, or it is told to end. A ring during work is not lost. */
export class Bell {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  async wait(ms: number, until: AbortSignal): Promise<void> {
    if (!this.#rung && !until.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          // A loop waits for days on one signal: listeners that stay would pile up.
          until.removeEventListener('abort', wake)
          this.#wake = null
          resolve()
        }
        const timer = setTimeout(wake, ms)
        this.#wake = wake
        until.addEventListener('abort', wake, { once: true })
      })
    }
    this.#rung = false
  }
}
