import './lib/zodJitless.ts'
import './ui/fonts.css'
import './ui/base.css'
import { startApp } from './app/start.tsx'
import { keepComposedKeys } from './lib/composition.ts'

keepComposedKeys(window)
const element = document.getElementById('root')
if (!element) throw new Error('index.html lacks #root')
startApp(element)
