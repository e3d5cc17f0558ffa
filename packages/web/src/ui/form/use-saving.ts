import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { type FieldProblems, fieldProblems } from '../../lib/http.ts'

/** The saving of a form: whether it is under way, and why it did not succeed. */
export interface Saving {
  isSaving: boolean
  /** What is wrong with single fields, found here or by the server. */
  problems: FieldProblems
  /** The sentence of a refusal that names no field. */
  failure: string | null
  /** Runs `work`, which answers problems that it found before anything was sent, or null. */
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

/** The problems where there are any, else null. */
export function anyProblem(problems: FieldProblems): FieldProblems | null {
  return Object.keys(problems).length > 0 ? problems : null
}
