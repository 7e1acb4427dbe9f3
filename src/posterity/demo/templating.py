"""The templates of pages and feeds, and the filters they use."""

from functools import cache

from jinja2 import Environment, FunctionLoader, StrictUndefined

from posterity.demo import dates
from posterity.demo.blog import comment_html
from posterity.demo.posts import package_data


def filled(template: str, **values: object) -> str:
    """Return a template with its values; what a template does not call safe is escaped."""
    return _environment().get_template(template).render(**values)


def template_source(name: str) -> str:
    """Return a file of the templates folder as it is."""
    return package_data().joinpath("templates", *name.split("/")).read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(template_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "comment_html": comment_html,
        "day_month_year": dates.day_month_year,
        "dotted": dates.dotted,
        "month_day_year": dates.month_day_year,
        "rfc822": dates.rfc822,
    }
    return environment
