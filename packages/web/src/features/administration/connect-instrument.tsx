import {
  moduleOf,
  protocols,
  type SourceProtocol,
  type SourceSketch,
  sketchProblems,
  sourceFileText,
  sourceProtocols,
} from '@benchwatch/contract/source-file'
import { Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Code.layer.css'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { BesideForm, FormFields } from '../../ui/form/record-form.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useCopied } from '../../ui/text/copy-button.tsx'
import { Notice } from '../../ui/text/notice.tsx'
import { type RegistryObject, useFoundObjects } from '../registry/registry.api.ts'

const FILE_NAME = 'sources.yaml'

/** Returns a sketch of an instrument's source with the examples of its protocol. */
export function sketchOf(protocol: SourceProtocol, instrument: string): SourceSketch {
  const { address, detail } = protocols[protocol]
  return {
    protocol,
    name: protocol,
    module: moduleOf(protocol),
    address: address.example,
    detail: detail === undefined || detail.isOptional ? '' : detail.example,
    instrument,
  }
}

/** Asks how an instrument is connected, and writes the gateway's file of sources for it. Nothing is stored. */
export function ConnectInstrument({ gateway }: { gateway: string }) {
  const [sketch, setSketch] = useState(() => sketchOf('opcua', ''))
  /** The gateway of the chosen instrument; null for none. */
  const [instrumentGateway, setInstrumentGateway] = useState<string | null>(gateway)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  /** As it is written: without spaces around what was typed. */
  const clean = {
    ...sketch,
    name: sketch.name.trim(),
    module: sketch.module.trim(),
    address: sketch.address.trim(),
    detail: sketch.detail.trim(),
  }
  const problems = sketchProblems(clean)
  const { address, detail } = protocols[sketch.protocol]

  const field = (name: 'name' | 'module' | 'address' | 'detail') => ({
    value: sketch[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setSketch({ ...sketch, [name]: currentTarget.value })
      setTouched(new Set([...touched, name]))
    },
    error: touched.has(name) ? problems[name] : undefined,
    autoComplete: 'off',
    spellCheck: false,
  })

  return (
    <BesideForm
      form={
        <Card title="Instrument">
          <FormFields>
            <NativeSelect
              label="Protocol"
              description="How the instrument, or a program beside it, sends data."
              data={sourceProtocols.map((value) => ({ value, label: protocols[value].label }))}
              value={sketch.protocol}
              onChange={({ currentTarget }) => {
                // Name and module do not depend on the protocol, so those that were typed stay.
                const kept = new Set([...touched].filter((name) => name === 'name' || name === 'module'))
                setSketch({
                  ...sketchOf(currentTarget.value as SourceProtocol, sketch.instrument),
                  ...(kept.has('name') && { name: sketch.name }),
                  ...(kept.has('module') && { module: sketch.module }),
                })
                setTouched(kept)
              }}
            />
            <InstrumentInput
              text={sketch.instrument}
              onChoose={({ key, gateway: registeredAt }) => {
                setSketch({ ...sketch, instrument: key })
                setInstrumentGateway(typeof registeredAt === 'string' ? registeredAt : null)
              }}
            />
            <TextInput label={address.label} description={address.hint} required {...field('address')} />
            {detail !== undefined && (
              <TextInput
                label={detail.label}
                description={detail.hint}
                required={detail.isOptional !== true}
                {...field('detail')}
              />
            )}
            <TextInput
              label="Name of the source"
              description="Shown on the page of the gateway."
              required
              maxLength={40}
              {...field('name')}
            />
            <TextInput
              label="Module"
              description="First part of the template IDs, such as FRZ in FRZ-Door_open."
              required
              maxLength={20}
              {...field('module')}
            />
            {sketch.instrument !== '' && instrumentGateway !== gateway && (
              <div data-wide>
                <Notice tone="warning">
                  {sketch.instrument} is registered{' '}
                  {instrumentGateway === null ? 'without a gateway' : `behind ${instrumentGateway}`}. Set its gateway to{' '}
                  {gateway} in the registry, or the server refuses its reports.
                </Notice>
              </div>
            )}
          </FormFields>
        </Card>
      }
      preview={
        <Card title="File of the gateway">
          <WrittenFile problems={Object.values(problems)} text={() => sourceFileText(clean)} />
        </Card>
      }
    />
  )
}

/** The file with its buttons and the next steps, or what is missing for it. */
function WrittenFile({ problems, text }: { problems: readonly string[]; text: () => string }) {
  const { copied, copy } = useCopied()
  if (problems.length > 0)
    return (
      <Stack gap={4} role="status">
        <Text c="dimmed">The file appears here once the form is complete:</Text>
        {problems.map((problem) => (
          <Text key={problem}>{problem}</Text>
        ))}
      </Stack>
    )
  const written = text()
  return (
    <Stack gap={12}>
      <Group gap={8}>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} stroke={1.7} aria-hidden="true" />}
          onClick={() => void copy(FILE_NAME, written)}
        >
          {copied === null ? 'Copy' : 'Copied'}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
          onClick={() => saveFile(FILE_NAME, 'application/yaml', written)}
        >
          Download
        </Button>
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap' }} tabIndex={0} role="region" aria-label={FILE_NAME}>
        {written}
      </Code>
      <Text c="dimmed" textWrap="pretty">
        Save it on the gateway’s computer. A gateway has one file: add further sources to its list. Check it with{' '}
        <Code>npm run gateway:check -- {FILE_NAME}</Code>, then start the gateway with{' '}
        <Code>GATEWAY_SOURCES={FILE_NAME}</Code>.
      </Text>
    </Stack>
  )
}

/** A registered instrument, found by product id, system name and description. */
function InstrumentInput({ text, onChoose }: { text: string; onChoose: (instrument: RegistryObject) => void }) {
  const { objects, control } = useFoundObjects('instruments')
  return (
    <SearchSelect
      label="Instrument"
      description="By installed product ID, system name or description. Register it first, under Registry."
      required
      text={text}
      {...control}
      options={objects.map(({ key, systemName, productDescription }) => ({
        value: key,
        label: key,
        hint: [systemName, productDescription].filter(Boolean).join(' · '),
      }))}
      onChoose={(key) => {
        const chosen = objects.find((one) => one.key === key)
        if (chosen) onChoose(chosen)
      }}
    />
  )
}
