import { Group, PasswordInput, type PasswordInputProps, SimpleGrid, Stack, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useId, useState } from 'react'

/** A password field with a button that shows or hides the password. */
export function PasswordField(props: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      required
      withAsterisk={false}
      spellCheck={false}
      autoCapitalize="none"
      aria-invalid={Boolean(props.error)}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? 'Hide password' : 'Show password',
        tabIndex: 0,
        style: { color: 'var(--bw-ink-2)' },
      }}
      {...props}
    />
  )
}

interface PasswordRule {
  id: string
  text: string
  pattern: RegExp
}

export interface NewPassword {
  password: string
  repeated: string
}

/** True if every rule is met and both entries match. */
export function isNewPasswordReady({ password, repeated }: NewPassword, rules: readonly PasswordRule[]): boolean {
  return password === repeated && rules.every(({ pattern }) => pattern.test(password))
}

interface NewPasswordFieldsProps {
  value: NewPassword
  onChange: (value: NewPassword) => void
  rules: readonly PasswordRule[]
  /** Set after the first attempt to submit: from then on missing input is reported at once. */
  isSubmitted: boolean
  size?: 'sm' | 'md'
  autoFocus?: boolean
}

/** New password (to be retyped after a failure), repetition, and the rules, which are ticked off while typing. */
export function NewPasswordFields({ value, onChange, rules, isSubmitted, size, autoFocus }: NewPasswordFieldsProps) {
  const rulesId = useId()
  const missingId = useId()
  const warningId = useId()
  const { password, repeated } = value
  const met = rules.map(({ pattern }) => pattern.test(password))
  const isMissing = isSubmitted && met.includes(false)
  // No warning while the repetition matches so far.
  const differs = isSubmitted || !password.startsWith(repeated) ? password !== repeated : false
  return (
    <Stack gap={14}>
      <PasswordField
        label="New password"
        name="new-password"
        autoComplete="new-password"
        size={size}
        data-autofocus={autoFocus}
        data-retype
        autoFocus={autoFocus}
        aria-describedby={isMissing ? `${missingId} ${rulesId}` : rulesId}
        error={isMissing && missingText(rules.filter((_, at) => !met[at]))}
        errorProps={{ id: missingId }}
        value={password}
        onChange={({ currentTarget }) => onChange({ password: currentTarget.value, repeated })}
      />
      <SimpleGrid
        component="ul"
        id={rulesId}
        type="container"
        cols={{ base: 1, '360px': 2, '560px': 3 }}
        spacing={14}
        verticalSpacing={4}
        m="-4px 0 0"
        p={0}
        style={{ listStyle: 'none' }}
        aria-label="Password rules"
      >
        {rules.map(({ id, text }, at) => (
          <Group
            component="li"
            key={id}
            gap={7}
            wrap="nowrap"
            fz="sm"
            c={met[at] ? 'var(--bw-success)' : isSubmitted ? 'var(--bw-danger)' : 'dimmed'}
          >
            {met[at] ? (
              <IconCircleCheckFilled size={16} aria-hidden="true" />
            ) : (
              <IconCircle size={16} stroke={1.6} aria-hidden="true" />
            )}
            {text}
            <VisuallyHidden>{met[at] ? ' (met)' : ' (not met yet)'}</VisuallyHidden>
          </Group>
        ))}
      </SimpleGrid>
      <VisuallyHidden aria-live="polite">
        {password !== '' && `${met.filter(Boolean).length} of ${rules.length} rules met`}
      </VisuallyHidden>
      <div>
        <PasswordField
          label="Repeat new password"
          name="new-password-repeated"
          autoComplete="new-password"
          size={size}
          aria-describedby={differs ? warningId : undefined}
          aria-invalid={differs}
          value={repeated}
          onChange={({ currentTarget }) => onChange({ password, repeated: currentTarget.value })}
        />
        <Group id={warningId} gap={6} mt={differs ? 6 : 0} fz="sm" fw={540} c="var(--bw-warning)" aria-live="polite">
          {differs && (
            <>
              <IconAlertTriangle size={15} stroke={1.8} aria-hidden="true" />
              Passwords don't match
            </>
          )}
        </Group>
      </div>
    </Stack>
  )
}

function missingText(missing: readonly PasswordRule[]): string {
  return `Still missing: ${missing.map(({ text }) => text).join(', ')}.`
}
