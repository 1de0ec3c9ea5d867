import type { ReactNode } from 'react'
import { platformKeys } from '#contract/platforms/rules.ts'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { BlockOf, ReportBlock } from '#contract/reports/content.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import { useIsOrgAdmin } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { heights, heightWords, kindWords, shapeWords } from '../editor/blockWords.ts'
import { useEditor } from '../editor/EditorContext.ts'
import { canBeSized } from '../editor/sizes.ts'
import { AiSettings } from './AiSettings.tsx'
import { CampaignsSettings } from './CampaignsSettings.tsx'
import {
  BaseField,
  ByField,
  Columns,
  FigureField,
  HeadingField,
  NarrowingFields,
  NumberField,
  PlatformsField,
  useBlock,
  WidthField,
} from './fields.tsx'
import { FiguresField } from './FiguresField.tsx'
import { figuresOffered, postFiguresOffered } from './offeredFigures.ts'
import { PostTableSettings } from './PostTableSettings.tsx'

/** Everything that can be set of a block. Each change is one step of undo. */
export function BlockSettings({ block }: { block: ReportBlock }) {
  return (
    <div role="group" aria-label={`Settings of ${kindWords[block.kind].name}`} className="@container grid gap-3.5">
      {block.kind === 'pageBreak' ? (
        <p className="text-sm text-ink-muted">{kindWords.pageBreak.about}</p>
      ) : (
        <>
          <Columns>
            <HeadingField block={block} />
            {canBeSized(block) ? <WidthField block={block} /> : null}
          </Columns>
          {ownSettings(block)}
        </>
      )}
    </div>
  )
}

function ownSettings(block: ReportBlock): ReactNode {
  switch (block.kind) {
    case 'cover':
      return <CoverSettings block={block} />
    case 'text':
      return <TextSettings block={block} />
    case 'figures':
      return <FiguresSettings block={block} />
    case 'chart':
      return <ChartSettings block={block} />
    case 'postTable':
      return <PostTableSettings block={block} />
    case 'topPosts':
      return <TopPostsSettings block={block} />
    case 'campaigns':
      return <CampaignsSettings block={block} />
    case 'competitors':
      return <PlatformsField block={block} offered={comparable} />
    case 'bio':
      return <BioSettings block={block} />
    case 'ai':
      return <AiSettings block={block} />
    case 'inbox':
      return <p className="text-sm text-ink-muted">It covers the days and channels of the report.</p>
    case 'pageBreak':
    default:
      return null
  }
}

/** Platforms whose accounts can be compared. */
const comparable = platformKeys.filter((key) => platformFigures[key].competitors.isPossible)

function CoverSettings({ block }: { block: BlockOf<'cover'> }) {
  const { set, pause, problem } = useBlock(block)
  return (
    <>
      <Field label="Line below the title" optional error={problem('subtitle')} hint="Such as whom it's for.">
        <TextInput
          value={block.subtitle}
          autoComplete="off"
          onChange={({ target }) => set({ subtitle: target.value }, 'subtitle')}
          onBlur={pause}
        />
      </Field>
      <LookHint />
    </>
  )
}

/** Where the logo and the color are: all reports of the organization share them. */
function LookHint() {
  const ids = useProjectIds()
  const isOrgAdmin = useIsOrgAdmin(ids)
  return (
    <p className="text-sm text-pretty text-ink-muted">
      {isOrgAdmin ? (
        <>
          All reports share one logo and color. Set them in the{' '}
          <Link to="/$orgId/project/$projectId/org-settings" params={ids}>
            organization settings
          </Link>
          .
        </>
      ) : (
        'All reports share one logo and color. Your organization admins can change them.'
      )}
    </p>
  )
}

function TextSettings({ block }: { block: BlockOf<'text'> }) {
  const { set, pause, problem } = useBlock(block)
  return (
    <Field
      label="Text"
      error={problem('text')}
      hint={'An empty line begins a paragraph. Lines that start with "- " are a list.'}
    >
      <TextArea
        rows={6}
        value={block.text}
        onChange={({ target }) => set({ text: target.value }, 'text')}
        onBlur={pause}
      />
    </Field>
  )
}

function FiguresSettings({ block }: { block: BlockOf<'figures'> }) {
  const { sources } = useEditor()
  const { set, problem } = useBlock(block)
  return (
    <>
      <Columns>
        <BaseField base={block.base} onChange={(base) => set({ base })} />
        <ByField by={block.by} onChange={(by) => set({ by })} />
      </Columns>
      <FiguresField
        label="Figures"
        offered={figuresOffered(block.base, sources.platforms, block.names)}
        chosen={block.names}
        most={REPORTS.figures}
        error={problem('names')}
        onChange={(names) => set({ names })}
      />
      <Columns>
        <NarrowingFields block={block} />
      </Columns>
    </>
  )
}

function ChartSettings({ block }: { block: BlockOf<'chart'> }) {
  const { sources } = useEditor()
  const { set, problem } = useBlock(block)
  const shape = block.shape ?? 'auto'
  return (
    <>
      <Columns>
        <FigureField
          value={block.name}
          offered={figuresOffered(block.base, sources.platforms, [block.name])}
          error={problem('name')}
          onChange={(name) => set({ name })}
        />
        <BaseField base={block.base} onChange={(base) => set({ base })} />
        <ByField by={block.by} onChange={(by) => set({ by })} />
        <Field label="Drawn as">
          <Select
            value={shape}
            options={(['auto', 'line', 'bars'] as const).map((value) => ({ value, label: shapeWords[value] }))}
            onChange={({ target }) =>
              set({ shape: target.value === 'line' || target.value === 'bars' ? target.value : null })
            }
          />
        </Field>
        <Field label="Height">
          <Select
            value={block.height}
            options={heights.map((value) => ({ value, label: heightWords[value] }))}
            onChange={({ target }) => {
              const height = heights.find((one) => one === target.value)
              if (height) set({ height })
            }}
          />
        </Field>
        <NarrowingFields block={block} />
      </Columns>
    </>
  )
}

function TopPostsSettings({ block }: { block: BlockOf<'topPosts'> }) {
  const { sources } = useEditor()
  const { set, pause, problem } = useBlock(block)
  return (
    <Columns>
      <FigureField
        label="By"
        value={block.by}
        offered={postFiguresOffered(sources.platforms, [block.by])}
        error={problem('by')}
        onChange={(by) => set({ by })}
      />
      <NumberField
        label="Posts"
        value={block.count}
        most={REPORTS.topPosts}
        error={problem('count')}
        onChange={(count) => set({ count }, 'count')}
        onBlur={pause}
      />
      <NarrowingFields block={block} />
    </Columns>
  )
}

function BioSettings({ block }: { block: BlockOf<'bio'> }) {
  const { sources } = useEditor()
  const { set, problem } = useBlock(block)
  const isKnown = sources.pages.some(({ pageId }) => pageId === block.pageId)
  return (
    <Field label="Page" error={problem('pageId')}>
      <Select
        value={isKnown ? block.pageId : ''}
        {...(isKnown ? {} : { placeholder: 'Choose a page' })}
        options={sources.pages.map(({ pageId, name }) => ({ value: pageId, label: name }))}
        onChange={({ target }) => (target.value === '' ? undefined : set({ pageId: target.value }))}
      />
    </Field>
  )
}
