import { Box, Button, Group, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { changedFields, conflicts, editsOf, isSame } from '../../lib/draft.ts'
import { reasonOf } from '../../lib/folded.ts'
import { type FieldProblems, fieldProblems, isStale } from '../../lib/http.ts'
import { sessionState } from '../../lib/session/session.ts'
import { Card } from '../layout/card.tsx'
import { confirm } from '../overlay/confirm.tsx'
import { showFailure } from '../overlay/toasts.ts'
import { Notice } from '../text/notice.tsx'
import { forgetInput, keepInput, keptInput } from '../use-unsent.ts'
import styles from './form.module.css'

// oxlint-disable-next-line typescript/no-explicit-any -- the constraint of the form library
type Values = Record<string, any>

/** Attempts to save a record that other users keep changing. */
const SAVE_ATTEMPTS = 3

/** Kept input, with the record to which it belongs: only edits are restored, and later changes of others are shown. */
interface Kept<T> {
  seen: T
  values: T
}

/** A form of the library over a record: what was edited, saving, and changes by other users in the meantime. */
export interface RecordForm<T extends Values> extends UseFormReturnType<T> {
  isChanged: boolean
  isSaving: boolean
  /** The sentence of an error that belongs to no field. */
  failure: string | null
  /** Counts failed attempts. Each moves the focus to the first invalid field. */
  refusals: number
  /** Fields that another user changed since the form was opened or last saved. */
  changedElsewhere: string[]
  /** Changed fields that are also edited here: saving would overwrite the other user's value. */
  contested: string[]
  // Methods, so that a form with more fields is accepted where a part of them is edited.
  change(edits: Partial<T>): void
  submit(event?: FormEvent): Promise<void>
  discard(): void
  /** Makes these values the saved ones, and shows them unless the user edited them since `submitted`. */
  accept(saved: Partial<T>, submitted?: T): void
  /** Runs another action of the form. Returns true on success; shows problems that it returns or throws. */
  run(work: () => Promise<FieldProblems | undefined>): Promise<boolean>
}

/**
 * Edits a record. Fields without an edit follow the record, which may be read again at any time; edited fields keep the
 * edit. Saving asks before it overwrites a change of another user.
 */
export function useRecordForm<T extends Values>(options: {
  /** The record as last read; for a new one the empty form. */
  record: T
  /** Fields that begin with an edit, such as those of a new record that are known already. */
  edits?: Partial<T> | undefined
  /** Reads the record again before it is saved, because a PUT replaces every field; with its ETag, if it has one. */
  read?: () => Promise<{ record: T; etag?: string | undefined }>
  /** Returns what prevents saving, by field. */
  problemsOf?: (values: T) => FieldProblems | Promise<FieldProblems>
  /**
   * Saves and returns the saved fields. Fields that it leaves out stay edits. If the record has changed since `etag`, it
   * is read again and saved once more.
   */
  save: (values: T, fresh: T, etag: string | undefined) => Promise<Partial<T>>
  /** Called with a failure that no field shows. */
  onFailure?: (reason: string) => void
  /** Keeps the input of a dialog that was closed by Escape under this name, until it is saved or discarded. */
  keep?: string
  /** Keeps the input under this name when the session expires or the page is reloaded, but not when the user leaves. */
  keepOnPage?: string
}): RecordForm<T> {
  const { record, keepOnPage, keep = keepOnPage } = options
  const [kept] = useState(() => (keep === undefined ? undefined : (keptInput(keep) as Kept<T> | undefined)))
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm<T>({
    initialValues: { ...record, ...(kept === undefined ? options.edits : editsOf(kept.seen, kept.values)) },
    onValuesChange: () => setFailure(null),
  })
  /** The record as last received. */
  const [latest, setLatest] = useState(record)
  // The values that the form started with, or the saved ones. They are a reference of the library, as the edited ones
  // are: a function that is called after an answer of the server reads both as they are then.
  useState(() => form.setInitialValues(record))
  const base = form.getInitialValues()
  /** The base at the time of the first edit. */
  const [seen, setSeen] = useState({ ...record, ...kept?.seen })
  const [isSaving, setSaving] = useState(false)
  const [refusals, setRefusals] = useState(0)
  /** True once the screen was left, which is possible while saving. */
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  const edits = editsOf(base, form.values)
  const isChanged = Object.keys(edits).length > 0
  useEffect(() => {
    if (keep === undefined) return
    if (isChanged) keepInput(keep, { seen, values: form.values } satisfies Kept<T>)
    else forgetInput(keep)
  })
  useEffect(
    () => () => {
      if (keepOnPage !== undefined && sessionState().status !== 'anonymous') forgetInput(keepOnPage)
    },
    [keepOnPage],
  )
  if (!isSame(latest, record)) {
    setLatest(record)
    form.setInitialValues(record)
    for (const field of changedFields(base, record)) if (!(field in edits)) set(field, record[field])
  } else if (!isChanged && !isSame(seen, base)) setSeen(base)

  function set(field: keyof T, value: T[keyof T]) {
    form.setFieldValue(field as never, value)
  }

  function change(more: Partial<T>) {
    for (const field of Object.keys(more) as (keyof T)[]) set(field, more[field] as T[keyof T])
  }

  function accept(saved: Partial<T>, submitted: T = form.getValues()) {
    for (const field of Object.keys(saved) as (keyof T)[])
      if (isSame(form.getValues()[field], submitted[field])) set(field, saved[field] as T[keyof T])
    form.setInitialValues({ ...form.getInitialValues(), ...saved })
    setSeen((before) => ({ ...before, ...saved }))
    if (keep !== undefined) forgetInput(keep)
  }

  function refuse(problems: FieldProblems, reason: string) {
    form.setErrors(problems)
    const fields = Object.keys(problems)
    if (fields.length === 0) setFailure(reason)
    setRefusals((count) => count + 1)
    // A field that shows its problem has said it.
    const isShown = !isLeft.current && fields.length > 0 && fields.every((field) => field in form.values)
    if (isShown) return
    if (options.onFailure !== undefined) options.onFailure(reason)
    else if (isLeft.current) showFailure({ title: 'Your changes were not saved', message: reason })
  }

  async function run(work: () => Promise<FieldProblems | undefined>): Promise<boolean> {
    setSaving(true)
    setFailure(null)
    form.clearErrors()
    try {
      const problems = (await work()) ?? {}
      const [first] = Object.values(problems)
      if (first !== undefined) refuse(problems, first)
      return first === undefined
    } catch (error) {
      refuse(fieldProblems(error), reasonOf(error))
      return false
    } finally {
      setSaving(false)
    }
  }

  async function save(
    attempts = SAVE_ATTEMPTS,
    known = form.getInitialValues(),
    edited = editsOf(known, form.getValues()),
  ): Promise<FieldProblems | undefined> {
    const { record: fresh, etag } = (await options.read?.()) ?? { record: known }
    // Fields that both changed are shown before they are overwritten.
    if (conflicts(edited, known, fresh).length > 0) {
      if (isLeft.current) throw new Error('Another user changed the same fields. Make your changes again.')
      return undefined
    }
    const submitted = { ...fresh, ...edited }
    const problems = (await options.problemsOf?.(submitted)) ?? {}
    if (Object.keys(problems).length > 0) return problems
    try {
      accept(await options.save(submitted, fresh, etag), submitted)
    } catch (error) {
      if (!isStale(error) || attempts === 1) throw error
      return save(attempts - 1, known, edited)
    }
    return undefined
  }

  return {
    ...form,
    isChanged,
    isSaving,
    failure,
    refusals,
    // While saving, the record that changes is the saved one.
    changedElsewhere: isSaving ? [] : changedFields(seen, base).map(String),
    contested: isSaving ? [] : conflicts(edits, seen, base).map(String),
    change,
    submit: async (event) => {
      event?.preventDefault()
      if (!isSaving) await run(() => save())
    },
    discard: () => {
      change(form.getInitialValues())
      form.clearErrors()
      setFailure(null)
      setSeen(form.getInitialValues())
      if (keep !== undefined) forgetInput(keep)
    },
    accept,
    run,
  }
}

/** Returns a ref for the form element, in which each failed attempt moves the focus to the first invalid field. */
export function useInvalidFocus(refusals: number) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  return element
}

/**
 * The fields of a record in two columns, above them what is wrong or was changed by other users, below them the save
 * bar. Leaving with unsaved changes asks, unless a parent with several forms asks for them (`onUnsaved`).
 */
export function RecordForm<T extends Values>(props: {
  form: RecordForm<T>
  saveLabel?: string
  /** Label of the discard button if discarding leaves the screen. */
  discardLabel?: string
  /** Called by the discard button instead of discarding. */
  onCancel?: () => void
  onUnsaved?: (hasUnsaved: boolean) => void
  /** The label of a field, to name those that another user changed. */
  labelOf?: (field: string) => string
  children: ReactNode
}) {
  const { form, labelOf = String } = props
  const element = useInvalidFocus(form.refusals)
  const unplaced = Object.keys(form.errors).find((field) => !(field in form.values))
  const problem = form.failure ?? (unplaced === undefined ? null : form.errors[unplaced])
  return (
    <form ref={element} onSubmit={(event) => void form.submit(event)} noValidate>
      <Unsaved hasUnsaved={form.isChanged && !form.isSaving} onUnsaved={props.onUnsaved} />
      <FormFields>
        {problem !== null && (
          <div data-wide>
            <Notice tone="danger">{problem}</Notice>
          </div>
        )}
        {form.isChanged && form.changedElsewhere.length > 0 && (
          <div data-wide>
            <Notice tone="warning">
              {elsewhereLabel(form.changedElsewhere.map(labelOf), form.contested.map(labelOf))}
            </Notice>
          </div>
        )}
        {props.children}
      </FormFields>
      <SaveBar
        form={form}
        label={props.saveLabel ?? 'Save'}
        discardLabel={props.discardLabel}
        onCancel={props.onCancel}
      />
    </form>
  )
}

function elsewhereLabel(labels: readonly string[], contested: readonly string[]): string {
  const changed = `Changed by another user while you were editing: ${labels.join(', ')}.`
  if (contested.length === 0) return `${changed} Saving keeps those changes and adds yours.`
  return `${changed} You edited ${contested.join(', ')} as well: save again to overwrite those changes, or discard yours.`
}

/** A grid of fields: two columns, one on a phone. A field with `data-wide` spans both. */
export function FormFields({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid className={styles.fields} cols={{ base: 1, sm: 2 }} spacing={18} verticalSpacing={14}>
      {children}
    </SimpleGrid>
  )
}

/** A form with a preview next to it, or below it on narrow screens. */
export function BesideForm({ form, preview }: { form: ReactNode; preview: ReactNode }) {
  return (
    <SimpleGrid className={styles.beside} cols={{ base: 1, xl: 2 }} spacing={14}>
      {form}
      <div>{preview}</div>
    </SimpleGrid>
  )
}

/** Placeholder for a form, in the form's layout. `label` is for screen readers. */
export function FormSkeleton({ label, fields }: { label: string; fields: number }) {
  return (
    <Card>
      <div role="status" aria-label={label}>
        <FormFields>
          {Array.from({ length: fields }, (_, field) => (
            <Box key={field}>
              <Skeleton h={10} w={90} mb={10} />
              <Skeleton h="var(--bw-control)" />
            </Box>
          ))}
        </FormFields>
      </div>
    </Card>
  )
}

/** The bar at the end of a form: unsaved changes, save and discard. Sticky while the form is longer than the screen. */
export function SaveBar(props: {
  form: Pick<RecordForm<Values>, 'isChanged' | 'isSaving' | 'discard'>
  label: string
  discardLabel?: string | undefined
  /** Leaves the screen, which is possible without changes, too. */
  onCancel?: (() => void) | undefined
  /** Below several cards instead of at the end of one. */
  isApart?: boolean
}) {
  const { isChanged, isSaving, discard } = props.form
  const canDiscard = isChanged || props.onCancel !== undefined
  return (
    <Group
      className={styles.bar}
      gap={8}
      justify="flex-end"
      data-apart={props.isApart || undefined}
      data-idle={!canDiscard || undefined}
      data-save-bar
    >
      <Text c="dimmed" flex={1} role="status">
        {isChanged ? 'Unsaved changes' : ''}
      </Text>
      <Button variant="default" disabled={!canDiscard || isSaving} onClick={props.onCancel ?? discard}>
        {props.discardLabel ?? 'Discard'}
      </Button>
      <Button type="submit" disabled={!isChanged} loading={isSaving}>
        {props.label}
      </Button>
    </Group>
  )
}

/** Origin or target of a navigation. */
export interface Place {
  pathname: string
  search: Readonly<Record<string, unknown>>
}

function Unsaved(props: { hasUnsaved: boolean; onUnsaved: ((hasUnsaved: boolean) => void) | undefined }) {
  useUnsavedNote(props.hasUnsaved, props.onUnsaved)
  return props.onUnsaved === undefined && <LeaveGuard hasUnsaved={props.hasUnsaved} />
}

function LeaveGuard({ hasUnsaved }: { hasUnsaved: boolean }) {
  useLeaveGuard(hasUnsaved)
  return null
}

/** Notifies the parent of several forms when this one gains or loses unsaved input. */
export function useUnsavedNote(hasUnsaved: boolean, onUnsaved: ((hasUnsaved: boolean) => void) | undefined): void {
  const note = useEffectEvent(() => onUnsaved?.(hasUnsaved))
  useEffect(() => note(), [hasUnsaved])
}

/**
 * Asks once before a navigation would lose unsaved input; the browser asks if the whole page is left. The end of a
 * session does not ask. `isWayOff` returns true if a navigation leaves a form that has no path of its own.
 */
export function useLeaveGuard(hasUnsaved: boolean, isWayOff = isOtherPath): void {
  useBlocker({
    disabled: !hasUnsaved,
    enableBeforeUnload: hasUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (!isWayOff(current, next) || sessionState().status !== 'signed-in') return false
      return !(await mayLeave())
    },
  })
}

/** Guards several forms of one screen, so that leaving asks only once. Returns the `onUnsaved` of each form. */
export function useSharedLeaveGuard(isWayOff = isOtherPath): (form: string) => (hasUnsaved: boolean) => void {
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set())
  useLeaveGuard(unsaved.size > 0, isWayOff)
  return useCallback(
    (form: string) => (hasUnsaved: boolean) =>
      setUnsaved((known) => new Set([...known, form].filter((each) => each !== form || hasUnsaved))),
    [],
  )
}

function isOtherPath(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname
}

/** Asks whether unsaved input may be discarded. */
export function mayLeave(): Promise<boolean> {
  return confirm({
    message: 'Leave without saving? Your changes will be lost.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay',
    isDestructive: true,
  })
}
