"""Uses the generated Python client: reads and writes every record, then calls a running service."""

import inspect
import json
import sys

from dateutil import parser
import inventory_client as inventory
from inventory_client.rest import ApiException


def same(sent, got):
    """Whether two values are equal. Times may differ in format, and the generator omits nulls."""
    if isinstance(sent, dict) and isinstance(got, dict):
        return all(same(sent.get(name), got.get(name)) for name in {*sent, *got})
    if isinstance(sent, list) and isinstance(got, list):
        return len(sent) == len(got) and all(map(same, sent, got))
    if isinstance(sent, str) and isinstance(got, str) and sent != got:
        try:
            return parser.isoparse(sent) == parser.isoparse(got)
        except ValueError:
            return False
    return sent == got


class Answer:
    def __init__(self, value):
        self.data = json.dumps(value)


def read_and_write(client, samples):
    count = 0
    faults = []
    for name, values in samples.items():
        for value in values:
            try:
                got = client.sanitize_for_serialization(client.deserialize(Answer(value), name))
                if not same(value, got):
                    faults.append(f"{name}: {value}\n  became {got}")
            except Exception as error:
                faults.append(f"{name}: {type(error).__name__} {error} of {value}")
            count += 1
    if faults:
        sys.exit("\n".join(faults))
    return count


def refused(client, status, call):
    """The typed error of a call that must be refused."""
    try:
        call()
    except ApiException as error:
        assert error.status == status, f"{error.status} instead of {status}: {error.body}"
        return client.deserialize(Answer(json.loads(error.body)), "Error")
    raise AssertionError(f"not refused with {status}")


def lists(client):
    """Every list operation without path parameters."""
    for api in (getattr(inventory, name)(client) for name in dir(inventory) if name.endswith("Api")):
        for name, operation in inspect.getmembers(api, inspect.ismethod):
            plain = name.startswith("list_") and not name.endswith("_with_http_info")
            if plain and list(inspect.signature(operation).parameters) == ["kwargs"]:
                yield operation


def walk(client, email, password):
    authentication = inventory.AuthenticationApi(client)
    sites = inventory.SitesApi(client)
    refused(client, 401, sites.list_sites)
    credentials = inventory.Credentials(email=email, password=password)
    _, _, headers = authentication.login_with_http_info(credentials)
    # The generator sends this value as the whole Cookie header.
    client.configuration.api_key["session"] = headers["Set-Cookie"].split(";")[0]
    site = sites.create_site(inventory.CreateSite(name="Amsterdam DC1", latitude=52.3)).data
    assert site.status == "active" and site.latitude == 52.3 and site.facility is None, site
    page = sites.list_sites(name=["Amsterdam DC1"], sort="name", created_at__gte=[site.created_at])
    assert [found.id for found in page.data] == [site.id] and page.total == 1 and not page.has_more, page
    # A plain object can contain nulls, which a model omits, and values that a model would reject.
    assert sites.update_site(site.id, {"latitude": None}).data.latitude is None
    error = refused(client, 400, lambda: sites.create_site({"name": "Utrecht", "latitude": 91}))
    assert error.details[0].field == "latitude", error
    for operation in lists(client):
        operation(page_size=20)
    changes = sites.list_site_changes(site.id, action=["update"]).data
    assert [change.after for change in changes] == [{"latitude": None}], changes
    sites.delete_site(site.id)
    refused(client, 404, lambda: sites.get_site(site.id))
    authentication.logout()
    refused(client, 401, sites.list_sites)


with open(sys.argv[1], encoding="utf-8") as file:
    samples = json.load(file)
client = inventory.ApiClient(inventory.Configuration(host=sys.argv[2]))
count = read_and_write(client, samples)
walk(client, sys.argv[3], sys.argv[4])
print(f"compiled; {count} samples of {len(samples)} schemas read and written; a walk through the service")
