import { Button, TextInput } from '@mantine/core'
import { type FormEvent, Fragment, type ReactNode, useState } from 'react'
import { reasonOf } from '../../lib/reason.ts'
import { Card } from '../../ui/card.tsx'
import form from '../../ui/form.module.css'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import styles from './backoffice.module.css'
import { type DeletionKind, deletionWords, isConfirmed } from './deletion-words.ts'
import { useDelete } from './deletions.api.ts'

/** What was found: its id on the wire, the name that has to be typed, and what there is to say of it. */
export interface DeletionSubject {
  id: string
  name: string
  facts: readonly { name: string; value: ReactNode }[]
}

/** Deletes one thing for good, once its name was typed. `children` find it; `onDone` forgets it. */
export function DeletionForm(props: {
  kind: DeletionKind
  subject: DeletionSubject | null
  onDone: () => void
  children: ReactNode
}) {
  const { kind, subject } = props
  const { title, thing, goes } = deletionWords[kind]
  const [typed, setTyped] = useState({ id: '', text: '' })
  const remove = useDelete(kind)
  // Of another thing that was found meanwhile nothing was typed yet.
  const text = typed.id === subject?.id ? typed.text : ''
  const canDelete = subject !== null && isConfirmed(text, subject.name)

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (!canDelete || remove.isPending) return
    try {
      await remove.mutateAsync(subject.id)
      showSuccess({ title: `Deleted: ${subject.name}` })
      setTyped({ id: '', text: '' })
      props.onDone()
    } catch (error) {
      showFailure({ title: `Could not delete ${subject.name}`, message: reasonOf(error) })
    }
  }

  return (
    <Card title={title}>
      <p className={styles.intro}>{goes}</p>
      <form noValidate aria-label={title} onSubmit={(submit) => void handleSubmit(submit)}>
        <div className={form.fields}>
          {props.children}
          {subject !== null && (
            <>
              <dl className={styles.subject} data-wide>
                {subject.facts.map(({ name, value }) => (
                  <Fragment key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </Fragment>
                ))}
              </dl>
              <TextInput
                wrapperProps={{ 'data-wide': true }}
                label={`Type ${subject.name} to confirm`}
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={({ currentTarget }) => setTyped({ id: subject.id, text: currentTarget.value })}
              />
            </>
          )}
        </div>
        <div className={styles.end}>
          <Button
            type="submit"
            color={canDelete ? 'var(--bw-danger)' : undefined}
            c={canDelete ? 'var(--bw-on-accent)' : undefined}
            disabled={!canDelete}
            loading={remove.isPending}
          >
            Delete the {thing} for good
          </Button>
        </div>
      </form>
    </Card>
  )
}
