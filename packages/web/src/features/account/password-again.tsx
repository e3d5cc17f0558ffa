import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import styles from './account.module.css'
import { accountMessage } from './account-messages.ts'

interface PasswordAgainProps {
  /** What the password is asked for. */
  children: ReactNode
  actionLabel: string
  isDestructive?: boolean
  /** Does it with the password; what it throws is told. */
  action: (password: string) => Promise<void>
  onCancel: () => void
}

/** Asks for the password before a change that a borrowed screen should not be able to make. */
export function PasswordAgain({ children, actionLabel, isDestructive, action, onCancel }: PasswordAgainProps) {
  const [password, setPassword] = useState('')
  const run = useMutation({ mutationFn: action })

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (password !== '' && !run.isPending) run.mutate(password)
  }

  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap={14}>
        <p className={styles.hint}>{children}</p>
        {run.isError && <Notice tone="danger">{accountMessage(run.error)}</Notice>}
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button
            type="submit"
            color={isDestructive ? 'var(--bw-danger)' : undefined}
            disabled={password === ''}
            loading={run.isPending}
          >
            {actionLabel}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </Stack>
    </form>
  )
}
