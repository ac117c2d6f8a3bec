// Two lint rules about names, in the form of an oxlint plugin.

interface Name {
  name: string;
  /** The value of a literal, or the text parts of a template literal. */
  value?: unknown;
  parent: { type: string; id?: unknown; shorthand?: boolean; value?: unknown; parent?: { type: string } };
}
interface Context {
  report(problem: { message: string; node: Name }): void;
}

/**
 * Allows the misspelt field names of the API only as keys. The names of variables, functions, types and parameters must be
 * correct.
 */
const correctSpelling = {
  create: ({ report }: Context) => ({
    Identifier(node: Name) {
      if (/ratting|costomer/i.test(node.name) && isDeclared(node))
        report({ message: `'${node.name}' is misspelt. Only keys of the API are spelt like this.`, node });
    },
  }),
};

function isDeclared(node: Name): boolean {
  const { parent } = node;
  if (parent.id === node || parent.type === 'ArrayPattern' || /^Import|Function|TSParameter/.test(parent.type))
    return true;
  // In a destructuring pattern, `{ picture: costomerImg }` chooses a misspelt name for the variable, so it is reported.
  // `{ ratting }` takes its name from the field of the API, so it is not reported.
  return (
    parent.type === 'Property' && parent.parent?.type === 'ObjectPattern' && parent.value === node && !parent.shorthand
  );
}

const productNouns = /service|(?<!p)review|customer|lister|kitchen/i;

/**
 * Reports identifiers and string literals that contain a noun of this product, such as 'review'. Use this rule for code
 * that does not depend on the product. It does not check comments.
 */
const noProductNouns = {
  create({ report }: Context) {
    const check = (found: unknown, node: Name) => {
      if (typeof found === 'string' && productNouns.test(found))
        report({
          message: `'${found}' names a thing of this product. Code in ui and lib is general: pass such a text as a prop.`,
          node,
        });
    };
    return {
      Identifier: (node: Name) => check(node.name, node),
      JSXIdentifier: (node: Name) => check(node.name, node),
      Literal: (node: Name) => check(node.value, node),
      TemplateElement: (node: Name) => check((node.value as { raw: string }).raw, node),
      JSXText: (node: Name) => check(node.value, node),
    };
  },
};

export default {
  meta: { name: 'names' },
  rules: { 'correct-spelling': correctSpelling, 'no-product-nouns': noProductNouns },
};
