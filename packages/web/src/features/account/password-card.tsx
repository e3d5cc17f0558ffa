import { passwordRules } from '@benchwatch/contract/field-rules'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../../lib/http.ts'
import { isNewPasswordReady, NewPasswordFields, PasswordField } from '../../ui/form/password-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { accountMessage, sessionsQuery } from './account.api.ts'

const EMPTY = { password: '', repeated: '' }

/** Changes the password, which ends all other sessions. `userName` is for password managers. */
export function PasswordCard({ userName }: { userName: string }) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [current, setCurrent] = useState('')
  const [entry, setEntry] = useState(EMPTY)
  const [isSubmitted, setSubmitted] = useState(false)
  const change = useMutation({
    mutationFn: () => call('changePassword', { body: { currentPassword: current, newPassword: entry.password } }),
    onSuccess: () => {
      close()
      showSuccess({ title: 'Password changed', message: 'You have been signed out everywhere else.' })
      void client.invalidateQueries({ queryKey: sessionsQuery().queryKey })
    },
  })

  function close() {
    setOpen(false)
    setCurrent('')
    setEntry(EMPTY)
    setSubmitted(false)
    change.reset()
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    flushSync(() => setSubmitted(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (current !== '' && isNewPasswordReady(entry, passwordRules) && !change.isPending) change.mutate()
  }

  return (
    <Card title="Password">
      {isOpen ? (
        <form onSubmit={handleSubmit} noValidate aria-label="Change password">
          <Stack gap={14} maw={420}>
            <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
            {change.isError && <Notice tone="danger">{accountMessage(change.error)}</Notice>}
            <PasswordField
              label="Current password"
              name="current-password"
              autoComplete="current-password"
              autoFocus
              value={current}
              error={isSubmitted && current === '' && 'Enter your current password.'}
              onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
            />
            <NewPasswordFields value={entry} onChange={setEntry} rules={passwordRules} isSubmitted={isSubmitted} />
            <Group justify="flex-end" gap={8}>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={change.isPending}>
                Change password
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Group justify="space-between" gap="8px 14px">
          <Text c="dimmed">Changing your password signs you out everywhere else.</Text>
          <Button variant="default" onClick={() => setOpen(true)}>
            Change password
          </Button>
        </Group>
      )}
    </Card>
  )
}
