import { Box, SimpleGrid, Text, Textarea, type TextareaProps } from '@mantine/core'
import { RichText } from '../text/rich-text.tsx'

/** An HTML editor with a preview, sanitised like the pages that show it. */
export function HtmlField({ label, ...props }: TextareaProps & { label: string; value?: string }) {
  const html = props.value ?? ''
  return (
    <SimpleGrid data-wide cols={{ base: 1, sm: 2 }} spacing={18}>
      <Textarea
        label={label}
        autosize
        minRows={5}
        maxRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
        {...props}
      />
      <section aria-label={`${label}, preview`}>
        <Text fw={570} c="dimmed" mb={5}>
          Preview
        </Text>
        <Box px={12} py={8} style={{ borderLeft: '2px solid var(--bw-line-strong)', overflowWrap: 'anywhere' }}>
          {html.trim() === '' ? <Text c="dimmed">Nothing yet</Text> : <RichText html={html} />}
        </Box>
      </section>
    </SimpleGrid>
  )
}
