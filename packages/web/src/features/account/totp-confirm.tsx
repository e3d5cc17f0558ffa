import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { CODE_LENGTH, CodeField } from '../../ui/code-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { accountMessage } from './account-messages.ts'

// Few people ever need it, and only once.
const QrCode = lazy(() => import('./qr-code.tsx').then((file) => ({ default: file.QrCode })))

interface TotpConfirmProps {
  /** In base32, and as the address that the QR code holds. */
  secret: string
  otpauthUrl: string
  onConfirmed: (recoveryCodes: string[]) => void
  onCancel: () => void
}

/** The secret for the authenticator app, and the first code of it, without which nothing is switched on. */
export function TotpConfirm({ secret, otpauthUrl, onConfirmed, onCancel }: TotpConfirmProps) {
  const [code, setCode] = useState('')
  const codeBox = useRef<HTMLInputElement>(null)
  const confirm = useMutation({
    mutationFn: (typed: string) => call('confirmTotp', { body: { code: typed } }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    onError: () => codeBox.current?.select(),
  })

  function send(typed: string) {
    if (!confirm.isPending) confirm.mutate(typed)
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (code.length === CODE_LENGTH) send(code)
    else codeBox.current?.focus()
  }

  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap={14}>
        <p className={styles.hint}>
          Scan this code with your authenticator app, then enter the 6 digits that it shows.
        </p>
        <Suspense fallback={<div className={styles.qr} />}>
          <QrCode text={otpauthUrl} label="QR code for your authenticator app" />
        </Suspense>
        <p className={styles.hint}>
          No camera? Type this key into the app:
          <code className={styles.secret}>{inGroups(secret)}</code>
        </p>
        {confirm.isError && <Notice tone="danger">{accountMessage(confirm.error)}</Notice>}
        <CodeField ref={codeBox} label="Code" autoFocus value={code} onChange={setCode} onComplete={send} />
        <div className={styles.actions}>
          <Button type="submit" loading={confirm.isPending}>
            Switch on
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </Stack>
    </form>
  )
}

/** Four characters at a time are easier to type. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
