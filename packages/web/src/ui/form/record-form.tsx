import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { FieldProblems } from '../../lib/http.ts'
import { Card } from '../layout/card.tsx'
import { Notice } from '../text/notice.tsx'
import { SkeletonLine } from '../text/skeleton.tsx'
import styles from './form.module.css'
import saveBarStyles from './save-bar.module.css'

/** Labels of the fields that another user changed, and whether one of them is also edited here. */
export interface ElsewhereChanged {
  labels: readonly string[]
  contested: readonly string[]
}

/**
 * A form for one record. `problem` is the general error, `problems` are the errors of single fields; the first of
 * these gets the focus.
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
  /** Label of the discard button if discarding leaves the screen. */
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
            <Notice tone="warning">{elsewhereLabel(props.elsewhere)}</Notice>
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

function elsewhereLabel({ labels, contested }: ElsewhereChanged): string {
  const changed = `Changed by another user while you were editing: ${labels.join(', ')}.`
  if (contested.length === 0) return `${changed} Saving keeps those changes and adds yours.`
  return `${changed} You edited ${contested.join(', ')} as well: save again to overwrite those changes, or discard yours.`
}

/** A form with a preview next to it, or below it on narrow screens. */
export function BesideForm({ form, preview }: { form: ReactNode; preview: ReactNode }) {
  return (
    <div className={styles.columns}>
      {form}
      <div className={styles.aside}>{preview}</div>
    </div>
  )
}

/** Placeholder for a form, in the form's layout. `label` is for screen readers. */
export function FormSkeleton({ label, fields }: { label: string; fields: number }) {
  return (
    <Card>
      <div className={styles.fields} role="status" aria-label={label}>
        {Array.from({ length: fields }, (_, field) => (
          <div key={field} className={styles.bone}>
            <SkeletonLine width="90px" />
            <span />
          </div>
        ))}
      </div>
    </Card>
  )
}

/** The bar at the end of a form: unsaved changes, save and discard. Sticky while the form is longer than the screen. */
export function SaveBar(props: {
  label: string
  isChanged: boolean
  isPending: boolean
  onDiscard: () => void
  discardLabel?: string
  /** Discarding leaves the screen, which is possible without changes, too. */
  isWayOut?: boolean
  /** Below several cards instead of at the end of one. */
  isApart?: boolean
}) {
  const canDiscard = props.isChanged || props.isWayOut === true
  return (
    <div className={saveBarStyles.bar} data-apart={props.isApart || undefined} data-idle={!canDiscard || undefined}>
      <span className={saveBarStyles.state} role="status">
        {props.isChanged ? 'Unsaved changes' : ''}
      </span>
      <Button variant="default" disabled={!canDiscard || props.isPending} onClick={props.onDiscard}>
        {props.discardLabel ?? 'Discard'}
      </Button>
      <Button type="submit" disabled={!props.isChanged} loading={props.isPending}>
        {props.label}
      </Button>
    </div>
  )
}
