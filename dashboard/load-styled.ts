/** Loads a page or a dialog together with the styles that the lists do not need. */
export async function loadStyled<Module>(load: () => Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([load(), import('./all-styles.js')]);
  return module;
}
