import { useState } from 'react'
import { Segmented } from '#web/ui/Segmented.tsx'
import { chosenTheme, chooseTheme, type Theme } from '#web/ui/theme.ts'
import { AccessGallery } from './AccessGallery.tsx'
import { ActionsGallery } from './ActionsGallery.tsx'
import { FieldsGallery } from './FieldsGallery.tsx'
import { OverlaysGallery } from './OverlaysGallery.tsx'
import { ShowingGallery } from './ShowingGallery.tsx'
import { StatesGallery } from './StatesGallery.tsx'
import { TokensGallery } from './TokensGallery.tsx'

/** Every component of the design system in every state. Development only. */
export default function Gallery() {
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  return (
    <main id="main" className="mx-auto grid max-w-280 gap-8 px-4 py-6">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h1 tabIndex={-1} className="text-xl font-bold">
          Gallery
        </h1>
        <Segmented
          label="Theme"
          value={theme}
          onChange={(next) => {
            chooseTheme(next)
            setTheme(next)
          }}
          options={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </header>
      <TokensGallery />
      <ActionsGallery />
      <FieldsGallery />
      <ShowingGallery />
      <OverlaysGallery />
      <StatesGallery />
      <AccessGallery />
    </main>
  )
}
