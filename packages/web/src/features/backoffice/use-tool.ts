import type { FieldError } from '@benchwatch/contract/form-fields'
import { useState } from 'react'
import { type FieldProblems, fieldProblems } from '../../lib/field-problems.ts'
import { reasonOf } from '../../lib/reason.ts'
import { showFailure } from '../../ui/toasts.ts'

/** Hears whether a tool holds what was typed and not done. */
export type OnUnsaved = (hasUnsaved: boolean) => void

/**
 * The doing of a tool: what is wrong with its fields, found here or by the server, and a message for every refusal, which
 * begins with `failure`.
 */
export function useTool(failure: string, onUnsaved: OnUnsaved) {
  const [isPending, setPending] = useState(false)
  const [problems, setProblems] = useState<FieldProblems>({})
  // Counts refusals: each puts the cursor into the first wrong field, an edit that mends one does not.
  const [refusals, setRefusals] = useState(0)

  /** Runs `work` unless `errors` says what is wrong before; true when it succeeded. Never throws. */
  async function run(work: () => Promise<unknown>, errors: readonly FieldError[] = []): Promise<boolean> {
    const found = Object.fromEntries(errors.map(({ path, message }) => [path, message]))
    setProblems(found)
    if (errors[0] !== undefined) {
      setRefusals((count) => count + 1)
      showFailure({ title: `${failure}: ${errors[0].message}` })
      return false
    }
    setPending(true)
    try {
      await work()
      onUnsaved(false)
      return true
    } catch (error) {
      setProblems(fieldProblems(error))
      setRefusals((count) => count + 1)
      showFailure({ title: `${failure}: ${reasonOf(error)}` })
      return false
    } finally {
      setPending(false)
    }
  }

  /** What was wrong with a field is not known any more once it is edited. */
  function noteEdit(fields: readonly string[]) {
    onUnsaved(true)
    setProblems((known) => Object.fromEntries(Object.entries(known).filter(([field]) => !fields.includes(field))))
  }

  function noteClear() {
    onUnsaved(false)
    setProblems({})
  }

  return { isPending, problems, refusals, run, noteEdit, noteClear }
}
