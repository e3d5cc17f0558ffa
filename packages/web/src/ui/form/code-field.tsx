import { TextInput, type TextInputProps } from '@mantine/core'

export const CODE_LENGTH = 6

interface CodeFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onSubmit'> {
  value: string
  onChange: (code: string) => void
  /** Called with the code as soon as its last digit is typed or pasted. */
  onComplete?: (code: string) => void
}

/** A single field for a six-digit one-time code, so that pasting and autofill work. Drops spaces and dashes. */
export function CodeField({ value, onChange, onComplete, ...props }: CodeFieldProps) {
  function handleChange(typed: string) {
    const code = typed.replace(/\D/g, '').slice(0, CODE_LENGTH)
    onChange(code)
    if (code.length === CODE_LENGTH && code !== value) onComplete?.(code)
  }
  return (
    <TextInput
      required
      withAsterisk={false}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      styles={{ input: { fontSize: 20, fontWeight: 560, fontVariantNumeric: 'tabular-nums', letterSpacing: '0.32em' } }}
      value={value}
      onChange={({ currentTarget }) => handleChange(currentTarget.value)}
      {...props}
    />
  )
}
