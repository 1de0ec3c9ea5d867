import { clsx } from 'clsx'
import { BIO } from '#contract/linkInBio/limits.ts'
import { Field } from '#web/ui/Field.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { useEditor } from './EditorContext.ts'
import { PictureChoice, type PictureLibrary } from './PictureChoice.tsx'

/** What visitors see first: picture, name, a few words. */
export function ProfileCard({ Library }: { Library: PictureLibrary | undefined }) {
  const { state, dispatch, readOnly, problemOf, leave } = useEditor()
  const { name, about } = state.edited
  return (
    <Panel title="Profile">
      <div className={clsx(paperClass, 'grid gap-4 p-3.5')}>
        <PictureChoice Library={Library} />
        <Field
          label="Name"
          error={problemOf('name')}
          aside={<span className="tnum">{`${name.trim().length} of ${BIO.name}`}</span>}
        >
          <TextInput
            data-field="name"
            readOnly={readOnly}
            value={name}
            autoComplete="off"
            onChange={({ target }) => dispatch({ type: 'changed', part: { name: target.value } })}
            onBlur={() => leave('name')}
          />
        </Field>
        <Field
          label="Text"
          optional
          error={problemOf('about')}
          aside={<span className="tnum">{`${about.trim().length} of ${BIO.about}`}</span>}
        >
          <TextArea
            data-field="about"
            rows={2}
            readOnly={readOnly}
            value={about}
            onChange={({ target }) => dispatch({ type: 'changed', part: { about: target.value } })}
            onBlur={() => leave('about')}
          />
        </Field>
      </div>
    </Panel>
  )
}
