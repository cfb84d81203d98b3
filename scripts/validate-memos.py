"""Checks recorded requests against MemOS's own request models.

    RECORD=requests.jsonl node --test tests/package/providers.test.mjs
    python scripts/validate-memos.py requests.jsonl

It needs the package MemoryOS from PyPI, which is much larger than its models: that is why no target
of the Makefile runs this. For MemOS's cloud, which has no request models, the fields are compared
with the parameters of MemOS's own client.
"""

import collections
import inspect
import json
import sys

from memos.api import client, product_models as models
from pydantic import ValidationError

SELF_HOSTED = {
    "/product/search": models.APISearchRequest,
    "/product/add": models.APIADDRequest,
    "/product/delete_memory": models.DeleteMemoryRequest,
    "/product/get_memory": models.GetMemoryRequest,
    "/product/create_cube": models.CreateCubeRequest,
    "/product/exist_mem_cube_id": models.ExistMemCubeIdRequest,
}
CLIENT = client.MemOSClient
CLOUD = {
    "/api/openmem/v1/search/memory": CLIENT.search_memory,
    "/api/openmem/v1/add/message": CLIENT.add_message,
    "/api/openmem/v1/delete/memory": CLIENT.delete_memory,
    "/api/openmem/v1/get/status": CLIENT.get_task_status,
}


def problems(path, body):
    """What MemOS would say to a request, and fields that it would silently ignore."""
    if path in CLOUD:
        known = set(inspect.signature(CLOUD[path]).parameters) - {"self"}
        return [f"unknown field {name}" for name in sorted(set(body) - known)]
    model = SELF_HOSTED[path]
    unknown = [f"unknown field {name}" for name in sorted(set(body) - set(model.model_fields))]
    try:
        model.model_validate(body)
    except ValidationError as error:
        return unknown + [f"{one['loc']}: {one['msg']}" for one in error.errors()]
    return unknown


def main(file):
    valid = collections.Counter()
    failed = False
    for line in open(file, encoding="utf-8"):
        request = json.loads(line)
        path, body, status = request["path"], request.get("body"), request["status"]
        # What a stand-in refused was meant to be wrong.
        if path not in SELF_HOSTED | CLOUD or status in (400, 404, 422):
            continue
        found = problems(path, body)
        if found:
            failed = True
            print(f"{path}: {'; '.join(found)}\n  {json.dumps(body, ensure_ascii=False)}")
        else:
            valid[path] += 1
    for path, count in sorted(valid.items()):
        print(f"{path}: {count} valid")
    if failed or not valid:
        sys.exit("not every request is valid" if failed else "no request was recorded")


main(*sys.argv[1:])
