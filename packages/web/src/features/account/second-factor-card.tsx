import '@mantine/core/styles/Code.layer.css'
import type { SecondFactor } from '@benchwatch/contract/users/account'
import { Box, Button, Code, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { CODE_LENGTH, CodeField } from '../../ui/form/code-field.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { saveFile } from '../../ui/save-file.ts'
import { FailedQuery, Notice } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { accountMessage, secondFactorQuery } from './account.api.ts'
import styles from './account.module.css'

/** With this many codes left, the user should generate new ones. */
const FEW_CODES = 2

interface SecondFactorCardProps {
  /** The user's mobile number; null for none. */
  msisdn: string | null
  /** SMS options are shown only outside the China deployment (document 1 section 6). */
  hasSms: boolean
}

/** Shows the authenticator app, the recovery codes and SMS codes, with the actions to change them. */
export function SecondFactorCard(props: SecondFactorCardProps) {
  const factor = useQuery(secondFactorQuery())
  return (
    <Card title="Second factor">
      {factor.data !== undefined ? (
        factor.data.isManagedHere ? (
          <Factors {...props} factor={factor.data} />
        ) : (
          <Text c="dimmed">Your second factor is managed by your organisation’s sign-in. Change it there.</Text>
        )
      ) : factor.isError ? (
        <FailedQuery title="Could not get the second factor" query={factor} />
      ) : (
        <SkeletonLine width="220px" />
      )}
    </Card>
  )
}

function Factors({ factor, msisdn, hasSms }: SecondFactorCardProps & { factor: SecondFactor }) {
  const [change, setChange] = useState<SecondFactorChange | null>(null)
  const { totp, sms, recoveryCodesLeft } = factor
  return (
    <>
      <Row
        name="Authenticator app"
        mark={totp ? <StatusMark tone="good">On</StatusMark> : <StatusMark tone="off">Off</StatusMark>}
        hint={
          totp
            ? 'You sign in with your password and a code from the app.'
            : 'An app on your phone shows a new code every 30 seconds. This is the safest second factor.'
        }
      >
        {totp ? (
          <Button variant="default" onClick={() => setChange('remove')}>
            Remove
          </Button>
        ) : (
          <Button onClick={() => setChange('set-up')}>Set up</Button>
        )}
      </Row>
      {totp && (
        <Row
          name="Recovery codes"
          mark={
            <StatusMark tone={recoveryCodesLeft > FEW_CODES ? 'good' : 'warning'}>{recoveryCodesLeft} left</StatusMark>
          }
          hint="Use each code once to sign in without your app."
        >
          <Button variant="default" onClick={() => setChange('renew-codes')}>
            New codes
          </Button>
        </Row>
      )}
      {hasSms && (
        <Row
          name="Text message"
          mark={sms ? <StatusMark tone="good">On</StatusMark> : <StatusMark tone="off">Off</StatusMark>}
          hint={smsHint(factor, msisdn)}
        />
      )}
      {change !== null && <SecondFactorDialog change={change} onClose={() => setChange(null)} />}
    </>
  )
}

function smsHint({ sms, totp }: SecondFactor, msisdn: string | null): string {
  if (!sms) return 'An administrator can turn on codes by text message.'
  if (totp) return 'Not used while the authenticator app is on.'
  return msisdn === null ? 'Your account has no mobile number.' : `Codes go to ${msisdn}.`
}

function Row(props: { name: string; mark: ReactNode; hint: string; children?: ReactNode }) {
  return (
    <Group justify="space-between" gap="8px 14px" className={styles.row}>
      <Box flex="1 1 170px" miw={0}>
        <Group gap="3px 10px" fw={560}>
          {props.name} {props.mark}
        </Group>
        <Text c="dimmed">{props.hint}</Text>
      </Box>
      {props.children}
    </Group>
  )
}

// Few users ever need it, and those only once.
const QrCode = lazy(() => import('./qr-code.tsx').then((file) => ({ default: file.QrCode })))

interface TotpConfirmProps {
  /** The secret in base32; `otpauthUrl` is the address in the QR code. */
  secret: string
  otpauthUrl: string
  onConfirmed: (recoveryCodes: string[]) => void
  onCancel: () => void
}

/** Document 1 section 9. */
const COPIED_MS = 2000

interface PasswordAgainProps {
  /** Says what the password is needed for. */
  children: ReactNode
  actionLabel: string
  isDestructive?: boolean
  /** Runs the action with the password. Errors that it throws are shown. */
  action: (password: string) => Promise<void>
  onCancel: () => void
}

type SecondFactorChange = 'set-up' | 'renew-codes' | 'remove'

type Step =
  | { kind: 'password' }
  | { kind: 'confirm'; secret: string; otpauthUrl: string }
  | { kind: 'codes'; codes: string[] }

const titles: Record<SecondFactorChange, string> = {
  'set-up': 'Set up an authenticator app',
  'renew-codes': 'New recovery codes',
  remove: 'Remove the authenticator app',
}

/** Changes the second factor: asks for the password, then leads through the steps of the change. */
function SecondFactorDialog({ change, onClose }: { change: SecondFactorChange; onClose: () => void }) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const refresh = () => client.invalidateQueries({ queryKey: secondFactorQuery().queryKey })

  async function begin(password: string) {
    if (change === 'set-up') setStep({ kind: 'confirm', ...(await call('beginTotp', { body: { password } })) })
    else if (change === 'renew-codes')
      handleCodes((await call('renewRecoveryCodes', { body: { password } })).recoveryCodes)
    else {
      await call('removeTotp', { body: { password } })
      await refresh()
      showSuccess({ title: 'Authenticator app removed' })
      onClose()
    }
  }

  function handleCodes(codes: string[]) {
    void refresh()
    setStep({ kind: 'codes', codes })
  }

  const isShowingCodes = step.kind === 'codes'
  return (
    <Dialog
      onClose={onClose}
      title={isShowingCodes ? 'Your recovery codes' : titles[change]}
      size="md"
      // Recovery codes are shown only once, so a stray click must not close them.
      closeOnClickOutside={step.kind === 'password'}
      closeOnEscape={!isShowingCodes}
      withCloseButton={!isShowingCodes}
    >
      {step.kind === 'password' && (
        <PasswordAgain
          actionLabel={change === 'remove' ? 'Remove' : 'Continue'}
          isDestructive={change === 'remove'}
          action={begin}
          onCancel={onClose}
        >
          {change === 'set-up' && 'You will then sign in with your password and a code from the app. '}
          {change === 'renew-codes' && 'Your existing recovery codes will stop working. '}
          {change === 'remove' &&
            'You will then sign in with your password only. Your recovery codes will stop working. '}
        </PasswordAgain>
      )}
      {step.kind === 'confirm' && <TotpConfirm {...step} onConfirmed={handleCodes} onCancel={onClose} />}
      {step.kind === 'codes' && <RecoveryCodes codes={step.codes} onDone={onClose} />}
    </Dialog>
  )
}

/** Asks for the password again, so that an unattended browser cannot be used to make the change. */
function PasswordAgain({ children, actionLabel, isDestructive, action, onCancel }: PasswordAgainProps) {
  const [password, setPassword] = useState('')
  const run = useMutation({ mutationFn: action })

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (password !== '' && !run.isPending) run.mutate(password)
  }

  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap={14}>
        <Text c="dimmed">{children}</Text>
        {run.isError && <Notice tone="danger">{accountMessage(run.error)}</Notice>}
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={isDestructive ? 'var(--bw-danger)' : undefined}
            disabled={password === ''}
            loading={run.isPending}
          >
            {actionLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Shows new recovery codes, once. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const list = useRef<HTMLDivElement>(null)

  async function handleCopy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    } catch {
      // Browsers refuse the clipboard outside https. Select the codes so that the user can copy them.
      if (list.current !== null) window.getSelection()?.selectAllChildren(list.current)
    }
  }

  return (
    <Stack gap={14}>
      <Text c="dimmed">
        Keep these codes with your passwords. Each can be used once to sign in without your app. They are shown only
        now.
      </Text>
      <Paper withBorder radius={8} px={16} py={14} bg="var(--bw-ground)">
        <SimpleGrid
          component="ul"
          ref={list}
          minColWidth="180px"
          spacing={18}
          verticalSpacing={6}
          m={0}
          p={0}
          ff="monospace"
          fz={13.5}
          className={styles.codes}
          aria-label="Recovery codes"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </SimpleGrid>
      </Paper>
      <Group gap={8}>
        <Button
          variant="default"
          leftSection={isCopied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.7} />}
          onClick={() => void handleCopy()}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.7} />}
          onClick={() => saveFile('recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`)}
        >
          Download
        </Button>
        <Button data-autofocus onClick={onDone} ml="auto">
          I have saved them
        </Button>
      </Group>
    </Stack>
  )
}

/** Shows the secret for the authenticator app. The app is switched on only after its first code is confirmed. */
function TotpConfirm({ secret, otpauthUrl, onConfirmed, onCancel }: TotpConfirmProps) {
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
        <Text c="dimmed">Scan this code with your authenticator app, then enter the 6-digit code that it shows.</Text>
        <Suspense fallback={<div className={styles.qr} />}>
          <QrCode text={otpauthUrl} label="QR code for your authenticator app" />
        </Suspense>
        <Text c="dimmed">
          No camera? Type this key into the app:
          <Code fz={13.5} mt={4} className={styles.secret}>
            {inGroups(secret)}
          </Code>
        </Text>
        {confirm.isError && <Notice tone="danger">{accountMessage(confirm.error)}</Notice>}
        <CodeField ref={codeBox} label="Code" autoFocus value={code} onChange={setCode} onComplete={send} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Splits the secret into groups of four, which are easier to type. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
