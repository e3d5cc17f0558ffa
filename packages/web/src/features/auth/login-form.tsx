import { Anchor, type AnchorProps, Box, Stack, Text } from '@mantine/core'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Notice } from '../../ui/text/notice.tsx'
import { type LoginStep, loginMessage } from './login-messages.ts'

interface LoginFormProps {
  title: string
  /** Says what to enter and why. */
  lead?: ReactNode
  /** A success message of the previous step. */
  notice?: ReactNode
  mode: LoginStep['mode']
  /** The error of the last attempt; null for none. */
  failure: Error | null
  onSubmit: () => void
  children: ReactNode
}

/**
 * One step of signing in, as a single form so that password managers recognise its fields. After an error, the field
 * marked `data-retype` is selected so that typing replaces it.
 */
export function LoginForm({ title, lead, notice, mode, failure, onSubmit, children }: LoginFormProps) {
  const message = failure === null ? null : loginMessage(failure, mode)
  const titleId = useId()
  const form = useRef<HTMLFormElement>(null)
  // Before the message is painted: whoever types at once would otherwise add to the code that was wrong.
  useLayoutEffect(() => {
    if (failure === null) return
    const field = form.current?.querySelector<HTMLInputElement>('input[data-retype]')
    field?.focus()
    field?.select()
  }, [failure])

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Render the field errors first, then focus the first invalid field.
    flushSync(onSubmit)
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  return (
    <form ref={form} onSubmit={handleSubmit} noValidate aria-labelledby={titleId}>
      <Stack gap={16}>
        <Stack gap={6}>
          <Box component="h1" id={titleId} fz={20}>
            {title}
          </Box>
          {lead !== undefined && (
            <Text size="md" c="dimmed">
              {lead}
            </Text>
          )}
        </Stack>
        {notice !== undefined && <Notice tone="info">{notice}</Notice>}
        {message !== null && (
          <Notice tone="danger">
            <div>{message.text}</div>
            {message.detail !== null && <p>{message.detail}</p>}
          </Notice>
        )}
        {children}
      </Stack>
    </form>
  )
}

/** Another way on from a step. The digits of a running time keep their width. */
export function StepLink(props: AnchorProps & ComponentProps<'button'>) {
  const look = props.disabled ? ({ c: 'var(--bw-ink-3)', underline: 'never' } as const) : {}
  return <Anchor component="button" type="button" size="sm" fw={560} py={2} style={runningTime} {...look} {...props} />
}

export const runningTime = { fontVariantNumeric: 'tabular-nums' }

/** The address or number that a code was sent to. */
export function Sent({ to }: { to: string }) {
  return (
    <Text span inherit c="bright" fw={560} textWrap="nowrap">
      {to}
    </Text>
  )
}
