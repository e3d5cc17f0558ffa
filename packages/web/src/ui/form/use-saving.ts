import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { type FieldProblems, fieldProblems } from '../../lib/http.ts'

/** State of saving a form: in progress, or why it failed. */
export interface Saving {
  isSaving: boolean
  /** Errors of single fields, found here or by the server. */
  problems: FieldProblems
  /** The sentence of an error that names no field. */
  failure: string | null
  /** Runs `work`, which resolves to validation errors found before sending, or null. */
  save: (work: () => Promise<FieldProblems | null>) => Promise<void>
  forget: () => void
}

export function useSaving(): Saving {
  const [isSaving, setSaving] = useState(false)
  const [problems, setProblems] = useState<FieldProblems>({})
  const [failure, setFailure] = useState<string | null>(null)

  function forget() {
    setProblems({})
    setFailure(null)
  }

  async function save(work: () => Promise<FieldProblems | null>) {
    setSaving(true)
    forget()
    try {
      setProblems((await work()) ?? {})
    } catch (error) {
      const found = fieldProblems(error)
      setProblems(found)
      if (Object.keys(found).length === 0) setFailure(reasonOf(error))
    } finally {
      setSaving(false)
    }
  }

  return { isSaving, problems, failure, save, forget }
}

/** Returns the problems, or null if there are none. */
export function anyProblem(problems: FieldProblems): FieldProblems | null {
  return Object.keys(problems).length > 0 ? problems : null
}
