import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { FieldProblems } from '../lib/field-problems.ts'
import styles from './form.module.css'
import { Notice } from './notice.tsx'
import { SaveBar } from './save-bar.tsx'

/** Words of the fields that somebody else changed, and whether one of them is edited here as well. */
export interface ElsewhereChanged {
  labels: readonly string[]
  contested: readonly string[]
}

/**
 * A form of one record. `problem` is the sentence of a refusal, `problems` what is wrong with single fields: the first
 * of them gets the cursor.
 */
export function RecordForm(props: {
  saveLabel: string
  isChanged: boolean
  isPending: boolean
  problem: string | null
  problems: FieldProblems
  elsewhere?: ElsewhereChanged
  onSave: () => void
  onDiscard: () => void
  /** The word for leaving without saving, where discarding leads off the screen. */
  discardLabel?: string
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(props.problems).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [props.problems])

  function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (!props.isPending) props.onSave()
  }

  return (
    <form ref={form} onSubmit={handleSubmit} noValidate>
      <div className={styles.fields}>
        {props.problem !== null && (
          <div data-wide>
            <Notice tone="danger">{props.problem}</Notice>
          </div>
        )}
        {props.elsewhere !== undefined && props.elsewhere.labels.length > 0 && (
          <div data-wide>
            <Notice tone="warning">{elsewhereWords(props.elsewhere)}</Notice>
          </div>
        )}
        {props.children}
      </div>
      <SaveBar
        label={props.saveLabel}
        isChanged={props.isChanged}
        isPending={props.isPending}
        onDiscard={props.onDiscard}
        discardLabel={props.discardLabel}
        isWayOut={props.discardLabel !== undefined}
      />
    </form>
  )
}

function elsewhereWords({ labels, contested }: ElsewhereChanged): string {
  const changed = `Changed by somebody else while you were editing: ${labels.join(', ')}.`
  if (contested.length === 0) return `${changed} Saving keeps those changes and adds yours.`
  return `${changed} You edited ${contested.join(', ')} as well: save again to put yours in place of theirs, or discard.`
}
