import { type ApiTokenScope, apiTokenScopes } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../../lib/field-problems.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { hintBelow } from '../../ui/hint-below.ts'
import { Notice } from '../../ui/notice.tsx'
import { useCreateApiToken } from './administration.api.ts'
import { type ExpiryChoice, expiryDays, expiryInstant, expiryLimits } from './token-expiry.ts'

const scopeWords: Record<ApiTokenScope, string> = { registry: 'Registry: read, register and import' }

/** What a new token is for and how long it lives. `onMade` gets the token, which nobody can read again. */
export function NewTokenDialog(props: {
  onMade: (made: { name: string; token: string }) => void
  onCancel: () => void
}) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly ApiTokenScope[]>(apiTokenScopes)
  const [expiry, setExpiry] = useState<ExpiryChoice>(90)
  const [day, setDay] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const create = useCreateApiToken()
  const problems = fieldProblems(create.error)
  const now = new Date()
  const expiresAt = expiryInstant(expiry, day, now)
  const limits = expiryLimits(now)

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    setSubmitted(true)
    if (name.trim() === '' || scopes.length === 0 || expiresAt === null || create.isPending) return
    const made = await create.mutateAsync({ name: name.trim(), scopes: [...scopes], expiresAt }).catch(() => null)
    if (made !== null) props.onMade({ name: made.name, token: made.token })
  }

  return (
    <Dialog onClose={props.onCancel} title="New API token">
      <form noValidate onSubmit={(submit) => void handleSubmit(submit)}>
        <Stack gap="md">
          {create.isError && Object.keys(problems).length === 0 && (
            <Notice tone="danger">{create.error.message}</Notice>
          )}
          <TextInput
            label="Name"
            inputWrapperOrder={hintBelow}
            description="Which system uses it; changes are recorded under this name."
            data-autofocus
            required
            autoComplete="off"
            maxLength={120}
            value={name}
            error={problems.name ?? (isSubmitted && name.trim() === '' && 'Enter a name.')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Checkbox.Group
            label="What it may be used for"
            value={[...scopes]}
            error={problems.scopes ?? (isSubmitted && scopes.length === 0 && 'Choose at least one.')}
            onChange={(chosen) => setScopes(apiTokenScopes.filter((scope) => chosen.includes(scope)))}
          >
            {apiTokenScopes.map((scope) => (
              <Checkbox key={scope} mt={4} value={scope} label={scopeWords[scope]} />
            ))}
          </Checkbox.Group>
          <Group grow align="flex-start">
            <NativeSelect
              label="Expires"
              value={String(expiry)}
              onChange={({ currentTarget }) =>
                setExpiry(expiryDays.find((days) => String(days) === currentTarget.value) ?? 'date')
              }
              data={[
                ...expiryDays.map((days) => ({ value: String(days), label: `in ${days} days` })),
                { value: 'date', label: 'on a date' },
              ]}
            />
            {expiry === 'date' && (
              <TextInput
                label="Last day"
                type="date"
                required
                min={limits.min}
                max={limits.max}
                value={day}
                error={
                  problems.expiresAt ?? (isSubmitted && expiresAt === null && 'From tomorrow on, within two years.')
                }
                onChange={({ currentTarget }) => setDay(currentTarget.value)}
              />
            )}
          </Group>
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Make token
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
