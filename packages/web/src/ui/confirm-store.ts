/** Questions that stop a person before something is done. One at a time: a new question answers the old one with no. */

export interface Question {
  message: string
  confirmLabel: string
  cancelLabel?: string
  /** Colours the confirming button as dangerous. */
  isDestructive?: boolean
}

interface Asked extends Question {
  answer: (isConfirmed: boolean) => void
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** Asks, and resolves to whether the person confirmed. Needs `ConfirmDialog` on the page. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    change({
      ...question,
      answer: (isConfirmed) => {
        change(null)
        resolve(isConfirmed)
      },
    })
  })
}

export function currentQuestion(): Asked | null {
  return asked
}

export function subscribeToQuestions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}
