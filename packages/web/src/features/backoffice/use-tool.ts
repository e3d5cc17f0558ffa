import type { FieldError } from '@benchwatch/contract/form-fields'
import { useState } from 'react'
import { type FieldProblems, fieldProblems } from '../../lib/field-problems.ts'
import { showFailure } from '../../ui/toasts.ts'

/** The doing of a tool: what is wrong with its fields, found here or by the server, and a message for every refusal. */
export function useTool(failure: string) {
  const [isPending, setPending] = useState(false)
  const [problems, setProblems] = useState<FieldProblems>({})

  /** Runs `work` unless `errors` says what is wrong before; true when it succeeded. Never throws. */
  async function run(work: () => Promise<unknown>, errors: readonly FieldError[] = []): Promise<boolean> {
    const found = Object.fromEntries(errors.map(({ path, message }) => [path, message]))
    setProblems(found)
    if (errors[0] !== undefined) {
      showFailure({ title: `${failure}: ${errors[0].message}` })
      return false
    }
    setPending(true)
    try {
      await work()
      return true
    } catch (error) {
      setProblems(fieldProblems(error))
      showFailure({ title: `${failure}: ${error instanceof Error ? error.message : String(error)}` })
      return false
    } finally {
      setPending(false)
    }
  }

  return { isPending, problems, run, forget: () => setProblems({}) }
}
