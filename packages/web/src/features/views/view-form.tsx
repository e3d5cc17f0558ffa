import type { View } from '@benchwatch/contract/views'
import { limits } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { useSaving } from '../../ui/use-saving.ts'
import styles from './view-panel.module.css'

/** What a person decides about a view besides what the list looks like. */
export type ViewSettings = Pick<View, 'name' | 'shared' | 'isDefault'>

/** Name, sharing and default of a view. `keeps` says in a few words what is in it. */
export function ViewForm(props: {
  title: string
  keeps: string
  initial: ViewSettings
  onSave: (settings: ViewSettings) => Promise<void>
  onBack: () => void
  onDelete?: () => void
}) {
  const [name, setName] = useState(props.initial.name)
  const [shared, setShared] = useState(props.initial.shared)
  const [isDefault, setDefault] = useState(props.initial.isDefault)
  const saving = useSaving()

  function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (saving.isSaving) return
    void saving.save(async () => {
      if (name.trim() === '') return { name: 'Give the view a name.' }
      await props.onSave({ name: name.trim(), shared, isDefault })
      return null
    })
  }

  return (
    <form className={styles.panel} onSubmit={handleSubmit} noValidate>
      <h2 className={styles.head}>{props.title}</h2>
      {saving.failure !== null && <Notice tone="danger">{saving.failure}</Notice>}
      <TextInput
        label="Name"
        data-autofocus
        autoFocus
        autoComplete="off"
        maxLength={limits.viewName}
        value={name}
        error={saving.problems.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <p className={styles.keeps}>
        <span>Keeps</span> {props.keeps}
      </p>
      <Checkbox
        size="xs"
        label="Share with colleagues who see the same customers"
        checked={shared}
        onChange={({ currentTarget }) => setShared(currentTarget.checked)}
      />
      <Checkbox
        size="xs"
        label="Open the list with this view"
        checked={isDefault}
        onChange={({ currentTarget }) => setDefault(currentTarget.checked)}
      />
      <div className={styles.buttons}>
        {props.onDelete !== undefined && (
          <Button variant="subtle" color="var(--bw-danger)" className={styles.delete} onClick={props.onDelete}>
            Delete…
          </Button>
        )}
        <Button variant="default" onClick={props.onBack}>
          Back
        </Button>
        <Button type="submit" loading={saving.isSaving}>
          Save
        </Button>
      </div>
    </form>
  )
}
