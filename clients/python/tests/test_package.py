"""The package agrees with the API's document, with its own version, and with Python 3.9."""

import ast
import json
import re
import unittest
from pathlib import Path

import exchequer
from exchequer import types

PACKAGE = Path(exchequer.__file__).parent
ROOT = Path(__file__).resolve().parents[3]

SCHEMAS = {
    types.MemberData: "GetMemberResponse",
    types.Profile: "Profile",
    types.Wallet: "Wallet",
    types.Web3Data: "GetWeb3MemberResponse",
    types.IncludedWallet: "IncludedWallet",
    types.Includes: "FindMembersByWalletResponse",
    types.Adjusted: "AdjustPointsResponse",
    types.Transferred: "TransferPointsResponse",
    types.ReversedBalance: "ReversedBalance",
    types.Reversed: "ReverseEntryResponse",
    types.ChangeError: "ChangeError",
    types.ChangeOutcome: "ChangeOutcome",
    types.HoldData: "Hold",
    types.NewHoldData: "CreateHoldResponse",
    types.Captured: "CaptureHoldResponse",
    types.Released: "ReleaseHoldResponse",
    types.AwardData: "Award",
    types.NewAwardData: "CreateAwardResponse",
    types.Granted: "GrantAwardResponse",
    types.Cancelled: "CancelAwardResponse",
    types.Entry: "GetEntryResponse",
    types.MemberEntry: "MemberEntry",
    types.JournalEntry: "JournalEntry",
    types.Standing: "Standing",
    types.Rank: "GetRankResponse",
    types.PointType: "PointType",
    types.RealmData: "Realm",
    types.Key: "Key",
    types.IssuedKey: "IssuedKey",
    types.Webhook: "Webhook",
    types.WebhookWithSecret: "WebhookWithSecret",
}


def kinds(schema: dict) -> set:
    """The JSON types that a schema allows."""
    if "anyOf" in schema:
        return set().union(*map(kinds, schema["anyOf"]))
    if "$ref" in schema:
        return {"object"}
    named = schema.get("type", "string" if "const" in schema or "enum" in schema else None)
    return set(named) if isinstance(named, list) else {named}


def hinted(annotation: str) -> set:
    """The JSON types of an annotation, such as Optional[str]."""
    names = {"str": "string", "int": "integer", "bool": "boolean", "Dict": "object", "List": "array"}
    optional = re.fullmatch(r"Optional\[(.*)\]", annotation)
    inner = optional.group(1) if optional else annotation
    kind = names.get(inner.split("[")[0], "object")
    return {kind, "null"} if optional else {kind}


class Package(unittest.TestCase):
    def test_every_field_of_every_type_is_in_the_document(self) -> None:
        document = json.loads((ROOT / "server/openapi.json").read_text())
        wrong = []
        for kind, name in SCHEMAS.items():
            schema = document["components"]["schemas"][name]
            for field, annotation in kind.__annotations__.items():
                described = schema["properties"].get(field)
                text = getattr(annotation, "__forward_arg__", str(annotation))
                if described is None or kinds(described) != hinted(text):
                    wrong.append(f"{kind.__name__}.{field}: {text}, but {described}")
            wrong += [f"{kind.__name__}.{one} is not required" for one in kind.__required_keys__
                      if one not in schema["required"]]
        self.assertEqual(wrong, [])
        own = {one for one in vars(types).values() if getattr(one, "__module__", "").startswith("exchequer.")}
        self.assertEqual(own - set(SCHEMAS), {types.DryRun, types.Promised})

    def test_every_file_is_python_3_9(self) -> None:
        files = list(PACKAGE.glob("*.py"))
        self.assertGreater(len(files), 5)
        for file in files:
            ast.parse(file.read_text(), str(file), feature_version=(3, 9))

    def test_only_the_standard_library_is_imported(self) -> None:
        import sys

        for file in PACKAGE.glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Import):
                    names = [one.name for one in node.names]
                elif isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                else:
                    continue
                for name in names:
                    self.assertIn(name.split(".")[0], sys.stdlib_module_names, f"{file.name}: {name}")

    def test_the_versions_agree_and_the_types_are_marked(self) -> None:
        project = (PACKAGE.parents[1] / "pyproject.toml").read_text()
        self.assertIn(f'version = "{exchequer.__version__}"', project)
        self.assertTrue((PACKAGE / "py.typed").exists())
        workspace = json.loads((ROOT / "package.json").read_text())
        self.assertEqual(workspace["version"], exchequer.__version__)

    def test_the_package_has_the_licence(self) -> None:
        own = PACKAGE.parents[1] / "LICENSE"
        self.assertEqual(own.read_text(), (ROOT / "LICENSE").read_text())

    def test_what_is_exported_exists(self) -> None:
        for name in exchequer.__all__:
            self.assertTrue(hasattr(exchequer, name), name)


if __name__ == "__main__":
    unittest.main()
